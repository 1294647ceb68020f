import { anyBody } from './bodies.js';
import type { Pick } from './pick.js';

/** What ends the sending, after the last piece. */
export type Ending = 'wait' | 'half-close' | 'close' | 'reset';

export interface FuzzRequest {
  /** Of the route, as it is asked for. */
  readonly line: string;
  readonly pieces: readonly Buffer[];
  readonly ending: Ending;
}

/** Where a body goes through the most. */
const DEEPEST = ['POST /api/v1/verify/batch', 'POST /api/v1/verify/batch', 'POST /api/v1/finder/batch', 'POST /mcp'];

/** A request to one of the routes that take a body, sent in whatever way HTTP can be sent wrong. */
export function anyRequest(pick: Pick, routes: readonly string[], keys: readonly string[]): FuzzRequest {
  const { type, encoding, bytes } = anyBody(pick);
  const line = pick
    .one(pick.chance(0.5) ? DEEPEST : routes)
    .replace(/:\w+/g, () => pick.one(['1', '0a', '%00', '00000000-0000-4000-8000-000000000000']));
  const framing = pick.one(['length', 'length', 'chunks', 'short', 'long', 'both', 'none'] as const);
  const headers = [
    'Host: 127.0.0.1',
    ...authorization(pick, keys),
    ...(type === null ? [] : [`Content-Type: ${type}`]),
    ...(encoding === null ? [] : [`Content-Encoding: ${encoding}`]),
    ...(pick.chance(0.2) ? [`Idempotency-Key: ${pick.one(['a', 'b', `k${pick.below(1e9)}`, '"', ''])}`] : []),
    ...(pick.chance(0.1) ? ['Expect: 100-continue'] : []),
    ...(pick.chance(0.3) ? ['Connection: close'] : []),
    ...(pick.chance(0.5) ? ['Accept: application/json, text/event-stream'] : []),
    ...framingHeaders(framing, bytes.length),
  ];
  const head = Buffer.from(`${line} HTTP/1.${pick.chance(0.97) ? 1 : 0}\r\n${headers.join('\r\n')}\r\n\r\n`);
  const body =
    framing === 'chunks' || framing === 'both' ? chunked(bytes, pick) : { bytes, isWhole: framing !== 'long' };
  // Who sends less than was said, and stays, is waited for as long as anybody may take.
  const ending = pick.one(body.isWhole ? ENDINGS : ENDINGS_OF_PARTS);
  const next = body.isWhole && pick.chance(0.1) ? [Buffer.from('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')] : [];
  return { line, pieces: [...cut(Buffer.concat([head, body.bytes]), pick), ...next], ending };
}

const ENDINGS = ['wait', 'wait', 'half-close', 'close'] as const;
const ENDINGS_OF_PARTS = ['half-close', 'half-close', 'close', 'reset'] as const;

function authorization(pick: Pick, keys: readonly string[]): string[] {
  const key = pick.chance(0.85) ? pick.one(keys) : pick.one(['ms_test_wrong', null]);
  return key === null ? [] : [`Authorization: Bearer ${key}`];
}

function framingHeaders(framing: string, length: number): string[] {
  if (framing === 'none') return [];
  if (framing === 'chunks') return ['Transfer-Encoding: chunked'];
  if (framing === 'both') return [`Content-Length: ${length}`, 'Transfer-Encoding: chunked'];
  return [`Content-Length: ${Math.max(0, length + (framing === 'short' ? -3 : framing === 'long' ? 1_000 : 0))}`];
}

/** Mostly as RFC 9112 section 7.1 says; else one chunk is broken, or the end is missing. */
function chunked(bytes: Buffer, pick: Pick): { bytes: Buffer; isWhole: boolean } {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length && chunks.length < 50;) {
    const size = 1 + pick.below(pick.chance(0.5) ? 10 : bytes.length);
    const piece = bytes.subarray(at, at + size);
    chunks.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
    at += size;
  }
  const isBroken = pick.chance(0.3);
  if (isBroken) chunks.splice(pick.below(chunks.length + 1), 0, Buffer.from(pick.one(BROKEN_CHUNKS)));
  const isEnded = pick.chance(0.8);
  if (isEnded) chunks.push(Buffer.from(pick.one(['0\r\n\r\n', '0\r\nX-Sum: 1\r\n\r\n'])));
  return { bytes: Buffer.concat(chunks), isWhole: isEnded && !isBroken };
}

const BROKEN_CHUNKS = ['ZZ\r\n', '-1\r\n', 'ffffffffffffffffff\r\n', '5\r\nab', '\0'];

/** At once, in some pieces, or its first bytes one by one. */
function cut(bytes: Buffer, pick: Pick): Buffer[] {
  if (pick.chance(0.5)) return [bytes];
  const pieces: Buffer[] = [];
  const isSlow = pick.chance(0.2);
  for (let at = 0; at < bytes.length && pieces.length < 60;) {
    const size = isSlow ? 1 + pick.below(30) : 1 + pick.below(bytes.length);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return length < bytes.length ? [...pieces, bytes.subarray(length)] : pieces;
}
