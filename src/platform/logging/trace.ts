import { randomBytes, randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';

/** The context that the log names in lines which show the way of one request. */
export const TRACE = 'Trace';

/** The way of one request through processes and machines: W3C's id, and the request that began it. */
export interface Trace {
  /** 32 hexadecimal digits (https://www.w3.org/TR/trace-context/#trace-id). */
  readonly id: string;
  readonly requestId: string;
}

/** Longer ones are none: version 00 has 55 characters, and later ones may have a little more. */
const MAX_HEADER = 256;
const ID_BYTES = 16;
/** The system is asked for as many at once, since each question costs more than an id. */
const IDS_TOGETHER = 256;
let random = Buffer.alloc(0);
let nextAt = 0;

const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(-.*)?$/;

/**
 * The caller's request id when it is 1 to 128 letters, digits or `-_.:/+=`, else a new one: the log holds it, and a caller may write an
 * email address where no `@` or percent-encoding is refused.
 */
export function requestIdFrom(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[\w.:/+=-]{1,128}$/.test(header) ? header : randomUUID();
}

/** The caller's trace id where its `traceparent` is one, else a new one. */
export function traceIdFrom(header: string | string[] | undefined): string {
  if (typeof header !== 'string' || header.length > MAX_HEADER) return newTraceId();
  const found = TRACEPARENT.exec(header);
  const isValid = found !== null && (found[1] !== '00' || found[3] === undefined);
  return isValid ? found[2]! : newTraceId();
}

export function newTraceId(): string {
  if (nextAt === random.length) {
    random = randomBytes(ID_BYTES * IDS_TOGETHER);
    nextAt = 0;
  }
  nextAt += ID_BYTES;
  return random.toString('hex', nextAt - ID_BYTES, nextAt);
}

/** The header of a request of ours that belongs to the trace. */
export function traceparentOf(traceId: string): string {
  return `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
}

const logger = new Logger(TRACE);

/** One step of a trace, in words and members that hold no address, key or secret. */
export function writeStep(
  text: string,
  members: { readonly trace_id: string } & Readonly<Record<string, unknown>>,
): void {
  logger.log(text, members);
}
