import { randomUUID } from 'node:crypto';

/** The caller's request id when it is 1 to 128 visible ASCII characters, else a new one. */
export function requestIdFrom(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[\x21-\x7e]{1,128}$/.test(header) ? header : randomUUID();
}
