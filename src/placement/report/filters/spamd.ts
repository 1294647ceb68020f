import { connect } from 'node:net';
import { heaviestFirst, noVerdict, type SpamSymbol, type SpamVerdict } from './spam-verdict.js';

const ANSWER_MS = 20_000;
const MAX_BYTES = 1_000_000;

/**
 * Shows a message to SpamAssassin's daemon (`REPORT` of SPAMC/1.5). Never rejects: a filter that is away is no verdict.
 * @param server `host:port`, an IPv6 address in brackets
 */
export async function askSpamd(server: string, raw: Buffer): Promise<SpamVerdict> {
  const [, v6, host = v6 ?? '', port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(server) ?? [];
  const text = await exchange(host, Number(port), raw).catch(() => '');
  const [, score, required] = /^Spam: [a-z]{2,5} ; (-?[\d.]{1,12}) \/ (-?[\d.]{1,12})\r?$/im.exec(text) ?? [];
  if (!text.startsWith('SPAMD/') || score === undefined) return noVerdict('spamassassin');
  return {
    engine: 'spamassassin',
    score: Number(score),
    required: Number(required),
    symbols: heaviestFirst(rulesOf(text)),
  };
}

/** The table of the report: points, rule name, description, which may go on in the next line. */
function rulesOf(text: string): SpamSymbol[] {
  return text.split('\n').flatMap((line) => {
    const [, points, name, description] =
      /^\s{0,4}(-?\d{1,4}\.\d)\s+([A-Z][A-Z0-9_]{1,60})\s+(.{0,200})/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, score: Number(points), description: description?.trim() ?? null }];
  });
}

function exchange(host: string, port: number, raw: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (error: Error | null): void => {
      clearTimeout(timer);
      socket.destroy();
      if (error === null) resolve(Buffer.concat(chunks).toString());
      else reject(error);
    };
    const timer = setTimeout(() => end(new Error('spamd is late')), ANSWER_MS);
    timer.unref();
    socket.on('data', (chunk) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > MAX_BYTES) end(new Error('spamd says too much'));
    });
    socket.once('error', end);
    socket.once('end', () => end(null));
    socket.once('connect', () => {
      socket.write(`REPORT SPAMC/1.5\r\nContent-length: ${raw.length}\r\n\r\n`);
      socket.end(raw);
    });
  });
}
