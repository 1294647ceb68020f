import { randomUUID } from 'node:crypto';

/**
 * The caller's request id when it is 1 to 128 letters, digits or `-_.:/+=`, else a new one: the log holds it, and a caller may write an
 * email address where no `@` or percent-encoding is refused.
 */
export function requestIdFrom(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[\w.:/+=-]{1,128}$/.test(header) ? header : randomUUID();
}
