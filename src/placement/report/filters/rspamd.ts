import { request } from 'undici';
import type { ReportEnvelope } from '../sections/authentication.js';
import { heaviestFirst, noVerdict, type SpamVerdict } from './spam-verdict.js';

export interface RspamdOptions {
  /** As in `RSPAMD_URL`. */
  readonly url: string;
  readonly password: string | null;
}

const ANSWER_MS = 10_000;
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
): Promise<SpamVerdict> {
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
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await boundedText(body);
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

async function boundedText(body: AsyncIterable<Buffer>): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function verdictOf({ score, required_score, symbols = {} }: RspamdReply): SpamVerdict {
  if (typeof score !== 'number' || typeof required_score !== 'number') return noVerdict('rspamd');
  const found = Object.entries(symbols).map(([name, one]) => ({
    name,
    score: typeof one.score === 'number' ? one.score : 0,
    description: typeof one.description === 'string' ? one.description : null,
  }));
  return { engine: 'rspamd', score, required: required_score, symbols: heaviestFirst(found) };
}
