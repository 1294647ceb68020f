import type { DnsAnswer } from '../ports.js';

/** Facts are kept a minute at least, so that a batch does not ask again for TTL 0, and an hour at most. */
const FOUND_SECONDS = { least: 60, most: 3600 } as const;

/** Node does not show the SOA record that should say it (RFC 2308 section 5). Short, so that a repaired domain is soon seen. */
const NEGATIVE_SECONDS = 300;

/** RFC 2308 section 7 allows five minutes. */
const FAILURE_SECONDS = 30;

/** For how many seconds an answer may be believed. */
export function answerLife(answer: DnsAnswer<unknown>): number {
  switch (answer.outcome) {
    case 'found':
      return Math.min(Math.max(answer.ttlSeconds, FOUND_SECONDS.least), FOUND_SECONDS.most);
    case 'nxdomain':
    case 'nodata':
      return NEGATIVE_SECONDS;
    case 'servfail':
    case 'timeout':
      return FAILURE_SECONDS;
  }
}
