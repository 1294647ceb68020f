import type { DnsAnswer } from '../ports.js';

/** Facts are kept a minute at least, so that a batch does not query again for TTL 0, and an hour at most. */
const FOUND_SECONDS = { min: 60, max: 3600 } as const;

/** Node does not show the SOA record that should bound it (RFC 2308 section 5). Short, so that a repaired domain is soon noticed. */
const NEGATIVE_SECONDS = 300;

/** RFC 2308 section 7 allows five minutes. */
const FAILURE_SECONDS = 30;

/** The number of seconds for which an answer may be believed. */
export function answerLife(answer: DnsAnswer<unknown>): number {
  switch (answer.outcome) {
    case 'found':
      return Math.min(Math.max(answer.ttlSeconds, FOUND_SECONDS.min), FOUND_SECONDS.max);
    case 'nxdomain':
    case 'nodata':
      return NEGATIVE_SECONDS;
    case 'servfail':
    case 'timeout':
      return FAILURE_SECONDS;
    case 'untrusted':
      return 0;
  }
}
