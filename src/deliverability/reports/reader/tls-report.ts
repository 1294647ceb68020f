import { isObject } from '../../../lib/checked-json.js';
import { READ_LIMITS, Unreadable } from './read-limits.js';
import { domainOf } from './aggregate-report.js';
import { addressOf, shownText } from './report-text.js';

/** What a sender of mail says of how it could encrypt, in one report (RFC 8460 section 4.4). */
export interface TlsReport {
  /** Who reports, in its own words. */
  readonly organization: string;
  readonly reportId: string;
  readonly begin: Date;
  readonly end: Date;
  readonly policies: readonly TlsPolicy[];
}

/** RFC 8460 section 4.2: TLSA records (DANE), MTA-STS, or neither. */
export const TLS_POLICY_TYPES = ['tlsa', 'sts', 'no-policy-found'] as const;

type TlsPolicyType = (typeof TLS_POLICY_TYPES)[number];

/** What a sender kept to for a domain, and how that went. */
export interface TlsPolicy {
  readonly type: TlsPolicyType;
  /** In A-labels and lower case; null: it was not told, so that it is the domain that the report was sent to. */
  readonly domain: string | null;
  readonly successful: number;
  readonly failed: number;
  /** Each combination once, the most sessions first. */
  readonly failures: readonly TlsFailure[];
  /** Failures without a readable result or count. */
  readonly leftOut: number;
}

/** Sessions that failed alike. */
interface TlsFailure {
  /** A word of the registry of RFC 8460 section 6.6, such as `certificate-expired`, or a newer one. */
  readonly result: string;
  /** The name from the MX record. */
  readonly mailHost: string | null;
  readonly mailHostAddress: string | null;
  /** From where the reporter's server connected. */
  readonly senderAddress: string | null;
  /** The reporter's own words. */
  readonly reason: string | null;
  readonly sessions: number;
}

/** RFC 3339, as RFC 8460 section 4.4 has its dates. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;
const RESULT = /^[a-z0-9-]{1,40}$/;
/** Some reporters write numbers as texts. */
const COUNT = /^\d{1,10}$/;

/**
 * A report on the encryption of mail out of its JSON. Members that nobody knows are passed over; a policy or a failure that cannot be read
 * is left out, and the others count.
 * @throws Unreadable
 */
export function readTlsReport(bytes: Uint8Array): TlsReport {
  const report = membersOf(parseBoundedJson(bytes));
  if (report === null || !Array.isArray(report['policies'])) throw new Unreadable('no_report');
  const range = membersOf(report['date-range']) ?? {};
  const organization = textOf(report['organization-name']);
  const reportId = textOf(report['report-id'])?.replace(/^<(.+)>$/, '$1') ?? null;
  const begin = timeOf(range['start-datetime']);
  const end = timeOf(range['end-datetime']);
  if (organization === null || reportId === null) throw new Unreadable('report_incomplete');
  if (begin === null || end === null || end < begin) throw new Unreadable('report_incomplete');
  if (report['policies'].length > READ_LIMITS.policies) throw new Unreadable('too_many_records');
  const policies = report['policies'].flatMap((one) => policyOf(one) ?? []);
  if (policies.length === 0) throw new Unreadable('report_incomplete');
  return { organization, reportId, begin, end, policies };
}

function policyOf(value: unknown): TlsPolicy | null {
  const members = membersOf(value);
  const policy = membersOf(members?.['policy']);
  const summary = membersOf(members?.['summary']);
  const named = stringOf(policy?.['policy-domain']) ?? '';
  const domain = domainOf(named);
  const type = TLS_POLICY_TYPES.find((known) => known === stringOf(policy?.['policy-type'])?.toLowerCase());
  // Some reporters leave out what is zero.
  const successful = countOf(summary && (summary['total-successful-session-count'] ?? 0));
  const failed = countOf(summary && (summary['total-failure-session-count'] ?? 0));
  if (type === undefined || (domain === null && named !== '') || successful === null || failed === null) return null;
  const details: readonly unknown[] = Array.isArray(members?.['failure-details']) ? members['failure-details'] : [];
  if (details.length > READ_LIMITS.records) throw new Unreadable('too_many_records');
  const read = details.flatMap((one) => failureOf(one) ?? []);
  return { type, domain, successful, failed, failures: summed(read), leftOut: details.length - read.length };
}

function failureOf(value: unknown): TlsFailure | null {
  const members = membersOf(value) ?? {};
  const result = stringOf(members['result-type'])?.toLowerCase() ?? '';
  const sessions = countOf(members['failed-session-count']);
  if (!RESULT.test(result) || sessions === null || sessions === 0) return null;
  return {
    result,
    mailHost: domainOf(stringOf(members['receiving-mx-hostname']) ?? undefined),
    mailHostAddress: addressOf(stringOf(members['receiving-ip']) ?? ''),
    senderAddress: addressOf(stringOf(members['sending-mta-ip']) ?? ''),
    reason: textOf(members['failure-reason-code']),
    sessions,
  };
}

function summed(failures: readonly TlsFailure[]): readonly TlsFailure[] {
  const all = new Map<string, TlsFailure>();
  for (const { sessions, ...rest } of failures) {
    const key = JSON.stringify(Object.values(rest));
    all.set(key, { ...rest, sessions: sessions + (all.get(key)?.sessions ?? 0) });
  }
  return [...all.values()].toSorted((one, other) => other.sessions - one.sessions);
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return isObject(value) ? value : null;
}

/** Short enough to be looked at. */
function stringOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= READ_LIMITS.lookedAtLength ? value : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? shownText(value.slice(0, READ_LIMITS.lookedAtLength)) : null;
}

function countOf(value: unknown): number | null {
  const count = typeof value === 'string' && COUNT.test(value) ? Number(value) : value;
  const isCount = typeof count === 'number' && Number.isSafeInteger(count) && count >= 0;
  return isCount && count <= READ_LIMITS.recordMessages ? count : null;
}

function timeOf(value: unknown): Date | null {
  const ms = typeof value === 'string' && TIME.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(ms) ? null : new Date(ms);
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
/** Of `[`, `{`, `]` and `}`. */
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Reads JSON that a stranger wrote. How deep it is and how many values it has is counted before anything of it is built: a few bytes make a
 * value that takes many. Bytes that are no UTF-8 become U+FFFD.
 * @throws Unreadable
 */
function parseBoundedJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength > READ_LIMITS.jsonBytes) throw new Unreadable('unpacked_too_large');
  checkShape(bytes);
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    throw new Unreadable('json_malformed');
  }
}

function checkShape(bytes: Uint8Array): void {
  let [depth, values, isText] = [0, 0, false];
  for (let at = 0; at < bytes.byteLength; at++) {
    const byte = bytes[at]!;
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) values++;
    else if (CLOSING.has(byte)) depth--;
    else if (OPENING.has(byte)) {
      values++;
      if (++depth > READ_LIMITS.jsonDepth) throw new Unreadable('json_too_deep');
    }
    if (values > READ_LIMITS.jsonValues) throw new Unreadable('too_many_records');
  }
}
