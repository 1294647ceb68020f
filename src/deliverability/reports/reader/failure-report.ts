import { READ_LIMITS, Unreadable } from './read-limits.js';
import type { FailureParts } from './report-mail.js';
import { domainOf } from './aggregate-report.js';
import { addressOf, shownText } from './report-text.js';

/**
 * What a receiver says of one message that failed (RFC 5965, RFC 6591, RFC 9991). Nothing of whom it was from or to, and nothing of what it
 * said, is kept: domains and results alone.
 */
export interface FailureReport {
  /** The address that connected, in its short form. */
  readonly source: string;
  /** The domain in From of the message, or the one that was named as reported. */
  readonly domain: string;
  /** A word of RFC 6591 section 3.3, such as `dkim`, or a newer one. */
  readonly failure: string;
  /** What became of the message: a word of RFC 6591 section 3.2.2; null: it was not told. */
  readonly delivery: string | null;
  readonly dkimDomain: string | null;
  readonly dkimSelector: string | null;
  /** The reporter's program, in its own words. */
  readonly reporter: string | null;
  /** Messages that failed alike. */
  readonly messages: number;
}

const TOKEN = /^[a-z0-9-]{1,40}$/;
const SELECTOR = /^[a-z0-9._-]{1,63}$/i;
const COUNT = /^\d{1,9}$/;
/** Fields that are looked at. */
const MAX_FIELDS = 200;
const MAX_FIELD_CHARACTERS = 10_000;

/** @throws Unreadable */
export function readFailure({ fields, original }: FailureParts): FailureReport {
  const told = fieldsOf(fields);
  const head = original === null ? new Map<string, string>() : fieldsOf(original);
  if (withoutComment(told.get('feedback-type')).toLowerCase() !== 'auth-failure') throw new Unreadable('no_report');
  const source = addressOf(withoutComment(told.get('source-ip')));
  const domain = domainOf(fromDomainOf(head.get('from'))) ?? domainOf(told.get('reported-domain'));
  // Reporters of DMARC leave it out, since it is what they report (RFC 7489 section 7.3).
  const failure = tokenOf(told.get('auth-failure') ?? 'dmarc');
  if (source === null || domain === null || failure === null) throw new Unreadable('report_incomplete');
  const selector = told.get('dkim-selector') ?? '';
  const incidents = told.get('incidents') ?? '1';
  return {
    source,
    domain,
    failure,
    delivery: tokenOf(told.get('delivery-result')),
    dkimDomain: domainOf(told.get('dkim-domain')),
    dkimSelector: SELECTOR.test(selector) ? selector : null,
    reporter: shownText((told.get('user-agent') ?? '').replaceAll(/\S+@\S+/g, '')),
    messages: COUNT.test(incidents) ? Math.max(1, Math.min(Number(incidents), READ_LIMITS.recordMessages)) : 1,
  };
}

/** The fields of a head by their names in lower case, each the first time that it stands there, up to the first empty line. */
function fieldsOf(bytes: Uint8Array): ReadonlyMap<string, string> {
  const head = Buffer.from(bytes.subarray(0, READ_LIMITS.headerBytes)).toString('utf8');
  const fields = new Map<string, string>();
  const [block = ''] = head.replace(/^(?:\r?\n)+/, '').split(/\r?\n\r?\n/, 1);
  for (const line of block
    .replaceAll(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .slice(0, MAX_FIELDS)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (name !== '' && !fields.has(name)) fields.set(name, line.slice(colon + 1, colon + MAX_FIELD_CHARACTERS).trim());
  }
  return fields;
}

/** The part behind the last @ of the one address in From (RFC 5322 section 3.6.2). */
function fromDomainOf(from: string | undefined): string | undefined {
  return /@([^\s@<>,;"()]+)>?\s*$/.exec(from ?? '')?.[1];
}

/** OpenDMARC names the host behind the address. */
function withoutComment(text = ''): string {
  return text.replace(/\([^()]*\)\s*$/, '').trim();
}

function tokenOf(text: string | undefined): string | null {
  const word = withoutComment(text).toLowerCase();
  return TOKEN.test(word) ? word : null;
}
