import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { ARCData, DKIMResult } from 'mailauth';
import type { ThreadWork } from '../../inbound/reading-threads.js';
import { readHeaderBlock } from './read-message.js';

/** As a resolver of Node answers for TXT, and what mailauth takes. */
type KeyResolver = (name: string, type: string) => Promise<string[][] | string[]>;

/** What the DNS has answered for the names of keys: records, or the code of an error. */
export type KnownKeys = ReadonlyMap<string, string[][] | string[] | { readonly code: string }>;

interface Signatures {
  readonly headerFrom: readonly string[];
  readonly fromFields: number;
  readonly results: readonly DKIMResult[];
  readonly arc: { readonly result: string; readonly instances: number };
}

export interface SeenSignatures {
  readonly signatures: Signatures;
  /** Names of keys that were not known, so that the results of their signatures are not final. */
  readonly unknownKeys: readonly string[];
}

export const VERIFY_SIGNATURES: ThreadWork = {
  file: new URL('./signatures.js', import.meta.url),
  name: 'verifySignatures',
};

/**
 * The signatures of a message, verified with the keys that the resolver answers. The message is hashed twice, before the keys are known and
 * after: a thread that hashes it waits for nobody's name server.
 */
export async function signaturesBy(
  look: (keys: KnownKeys) => Promise<SeenSignatures>,
  resolver: KeyResolver,
): Promise<Signatures> {
  const first = await look(new Map());
  if (first.unknownKeys.length === 0) return first.signatures;
  const answers = first.unknownKeys.map(async (name) => {
    const answer = await resolver(name, 'TXT').catch(({ code = 'ESERVFAIL' }: { code?: string }) => ({ code }));
    return [name, answer] as const;
  });
  return (await look(new Map(await Promise.all(answers)))).signatures;
}

/** Runs in a thread: it canonicalizes and hashes the whole message for each signature. */
export async function verifySignatures(
  raw: Buffer,
  { sender, keys }: { readonly sender: string; readonly keys: KnownKeys },
): Promise<SeenSignatures> {
  const judged = readHeaderBlock(raw)?.judged;
  const unknown = new Set<string>();
  const resolver: KeyResolver = (name) => {
    const known = keys.get(name);
    if (known === undefined) unknown.add(name);
    if (Array.isArray(known)) return Promise.resolve(known);
    return Promise.reject(Object.assign(new Error('no key'), { code: known?.code ?? 'ESERVFAIL' }));
  };
  // Loaded with the first message that is judged: commands and processes that judge none never load it (docs/adr/0045).
  const { arc, dkimVerify } = await import('mailauth');
  const pieces = mailPieces(judged ?? Buffer.alloc(0));
  // Receivers ignore signatures by SHA-1 (RFC 8301 section 3.1).
  const verified = await dkimVerify(pieces, { resolver, sender, rejectRsaSha1: true });
  const sealed = await arc(verified.arc as ARCData, { resolver });
  const { headerFrom, fromFields, results } = verified;
  const seen = { result: sealed.status.result, instances: sealed.i === false ? 0 : sealed.i };
  return { signatures: { headerFrom, fromFields, results, arc: seen }, unknownKeys: [...unknown] };
}

const LF = 0x0a;
/** After so many octets a piece ends with its line. */
const PIECE = 65_536;

/**
 * A message in pieces that end with a line, each line in CRLF, as mail travels.
 *
 * mailauth reads what it is given in equal pieces: it takes up the line that a piece has cut off again with the next one, from its beginning,
 * so that one line of 10 MB costs the square of its length; and it takes up each line that ends in LF alone by itself. Between pieces others
 * have their turn.
 */
function mailPieces(raw: Buffer): Readable {
  return Readable.from(piecesOf(raw));
}

async function* piecesOf(raw: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < raw.length;) {
    const end = raw.indexOf(LF, at + PIECE - 1);
    const next = end < 0 ? raw.length : end + 1;
    yield Buffer.from(raw.toString('latin1', at, next).replaceAll(/\r?\n/g, '\r\n'), 'latin1');
    at = next;
    await setImmediate();
  }
}
