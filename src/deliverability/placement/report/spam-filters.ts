import { connect } from 'node:net';
import { request } from 'undici';
import { readBounded } from '../../../lib/read-bounded.js';
import type { ReportEnvelope } from './authentication.js';
import type { SpamFilterReply, SpamSymbolReply } from './report-sections.reply.js';

const MAX_SYMBOLS = 100;
const MAX_TEXT = 300;

function noVerdict(engine: SpamFilterReply['engine']): SpamFilterReply {
  return { engine, score: null, required: null, symbols: [] };
}

/** The heaviest first, and no more of them or of their texts than anybody reads. */
function heaviestFirst(symbols: readonly SpamSymbolReply[]): readonly SpamSymbolReply[] {
  return symbols
    .toSorted((one, other) => Math.abs(other.score) - Math.abs(one.score))
    .slice(0, MAX_SYMBOLS)
    .map(({ name, score, description }) => ({
      name: name.slice(0, MAX_TEXT),
      score,
      description: description?.slice(0, MAX_TEXT) ?? null,
    }));
}

interface RspamdOptions {
  /** As in `RSPAMD_URL`. */
  readonly url: string;
  readonly password: string | null;
}

const RSPAMD_ANSWER_MS = 10_000;
const MAX_BYTES = 1_000_000;

interface RspamdReply {
  readonly score?: unknown;
  readonly required_score?: unknown;
  readonly symbols?: Readonly<Record<string, { readonly score?: unknown; readonly description?: unknown }>>;
}

/** Shows a message to rspamd (`POST /checkv2`). Never rejects: a filter that is away is no verdict. */
export async function askRspamd(
  { url, password }: RspamdOptions,
  raw: Buffer,
  { clientAddress, clientName, mailFrom }: ReportEnvelope,
): Promise<SpamFilterReply> {
  try {
    const { statusCode, body } = await request(new URL('/checkv2', url), {
      method: 'POST',
      body: raw,
      headers: {
        'content-type': 'application/octet-stream',
        ...(password !== null && { password }),
        ...headerOf('ip', clientAddress),
        ...headerOf('helo', clientName),
        ...headerOf('from', mailFrom),
      },
      signal: AbortSignal.timeout(RSPAMD_ANSWER_MS),
    });
    const text = (await readBounded(body as AsyncIterable<Buffer>, MAX_BYTES))?.toString() ?? null;
    if (statusCode !== 200 || text === null) return noVerdict('rspamd');
    return verdictOf(JSON.parse(text) as RspamdReply);
  } catch {
    return noVerdict('rspamd');
  }
}

/** A header of HTTP has no line ends and nothing beyond Latin-1; whoever sent the mail chose these texts. */
function headerOf(name: string, value: string | null): Record<string, string> {
  return value !== null && /^[\x21-\x7e]{1,300}$/.test(value) ? { [name]: value } : {};
}

function verdictOf({ score, required_score, symbols = {} }: RspamdReply): SpamFilterReply {
  if (typeof score !== 'number' || typeof required_score !== 'number') return noVerdict('rspamd');
  const found = Object.entries(symbols).map(([name, one]) => ({
    name,
    score: typeof one.score === 'number' ? one.score : 0,
    description: typeof one.description === 'string' ? one.description : null,
  }));
  return { engine: 'rspamd', score, required: required_score, symbols: heaviestFirst(found) };
}

const SPAMD_ANSWER_MS = 20_000;

/**
 * Shows a message to SpamAssassin's daemon (`REPORT` of SPAMC/1.5). Never rejects: a filter that is away is no verdict.
 * @param server `host:port`, an IPv6 address in brackets
 */
export async function askSpamd(server: string, raw: Buffer): Promise<SpamFilterReply> {
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
function rulesOf(text: string): SpamSymbolReply[] {
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
    const timer = setTimeout(() => end(new Error('spamd is late')), SPAMD_ANSWER_MS);
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
