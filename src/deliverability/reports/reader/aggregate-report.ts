import { parseDomain } from '../../../engine/syntax/domain.js';
import { READ_LIMITS } from './read-limits.js';
import { addressOf } from './report-text.js';

/** What a receiver of mail says in one aggregate report (RFC 9990, and RFC 7489 appendix C before it). */
export interface AggregateReport {
  /** Which of both specifications it was written by, as far as it shows. */
  readonly form: 'rfc7489' | 'rfc9990';
  /** Who reports, in its own words. */
  readonly organization: string;
  /** Unique among the reports of an organization about a domain, without the angle brackets that RFC 9990 allows. */
  readonly reportId: string;
  readonly begin: Date;
  readonly end: Date;
  /** The domain whose DMARC record was found, in A-labels and lower case. */
  readonly domain: string;
  readonly policy: PublishedPolicy;
  readonly generator: string | null;
  /** Each combination once, the most messages first. */
  readonly rows: readonly ReportRow[];
  /** Records without a readable address or count, and those about another domain; they stand in no row. */
  readonly recordsLeftOut: number;
}

/** What of a policy is kept beside its way of discovery; `pct` is in RFC 7489 only. */
export const POLICY_TAGS = ['p', 'sp', 'np', 'adkim', 'aspf', 'pct', 'testing'] as const;

/** The policy as the reporter read it. */
export type PublishedPolicy = Readonly<Record<(typeof POLICY_TAGS)[number] | 'discoveryMethod', string | null>>;

const DISPOSITIONS = ['none', 'pass', 'quarantine', 'reject'] as const;
/** Results of RFC 8601 sections 2.7.1 and 2.7.2. */
const RESULTS = ['none', 'pass', 'fail', 'softfail', 'policy', 'neutral', 'temperror', 'permerror'] as const;
type AuthResult = (typeof RESULTS)[number];

/** Messages that one address sent and that fared alike. */
export interface ReportRow {
  /** The address that connected, in its short form. */
  readonly source: string;
  readonly messages: number;
  readonly disposition: (typeof DISPOSITIONS)[number];
  /** Whether DKIM passed for a domain that aligns with the one in From. */
  readonly dkimAligned: boolean;
  readonly spfAligned: boolean;
  readonly headerFrom: string;
  /** Of the signature that passed, else of the first; null: nothing was signed. */
  readonly dkimResult: AuthResult | null;
  readonly dkimDomain: string | null;
  readonly spfResult: AuthResult | null;
  readonly spfDomain: string | null;
  /** Why the policy was not applied, such as `mailing_list`, `forwarded` (RFC 7489) or `policy_test_mode` (RFC 9990). */
  readonly override: string | null;
}

/** One DKIM signature, or SPF for one name. */
export interface Authentication {
  domain?: string;
  result?: string;
  scope?: string;
}

/** The texts of one record as they stand there; what is repeated counts the first time. */
export interface RecordTexts {
  source?: string;
  count?: string;
  disposition?: string;
  dkim?: string;
  spf?: string;
  override?: string;
  headerFrom?: string;
  readonly signatures: readonly Authentication[];
  readonly spfChecks: readonly Authentication[];
}

/** A row before it is known which domain its report is about. Of several names in From one may be its; none: From was not told. */
export type UnplacedRow = Omit<ReportRow, 'headerFrom'> & { readonly headerFroms: readonly string[] };

/** Words of older specifications: RFC 7489 appendix C names the first two. */
const OLD_RESULTS: ReadonlyMap<string, AuthResult> = new Map([
  ['unknown', 'temperror'],
  ['error', 'permerror'],
  ['hardfail', 'fail'],
]);
const COUNT = /^\d{1,10}$/;
/** At least two labels, the last of which is no number: else it is an address. */
const NAME = /^(?:[a-z0-9_-]{1,63}\.)+(?!\d+$)[a-z0-9-]{1,63}$/;
const ASCII = /^[ -~]*$/;
/** RFC 1035 section 2.3.4, without the root. */
const MAX_NAME_LENGTH = 253;
/** Names in one From: RFC 5322 allows several, and DMARC evaluates each. */
const MAX_NAMES = 4;
const OVERRIDE = /^[a-z_]{1,40}$/;

/** A record as a row, or null when its address, its count or its domain cannot be read. */
export function rowOf(texts: RecordTexts): UnplacedRow | null {
  const source = addressOf(texts.source ?? '');
  const messages = COUNT.test(texts.count ?? '') ? Number(texts.count) : NaN;
  const isUnnamed = texts.headerFrom === undefined || texts.headerFrom === '';
  const names = (texts.headerFrom ?? '').split(/[\s,;]+/).slice(0, MAX_NAMES);
  const headerFroms = names.flatMap((name) => domainOf(name) ?? []);
  if (source === null || (headerFroms.length === 0 && !isUnnamed)) return null;
  if (!(messages > 0 && messages <= READ_LIMITS.recordMessages)) return null;
  const signature = texts.signatures.find(({ result }) => isPass(result)) ?? texts.signatures[0];
  // The envelope's name is the one that DMARC looks at; RFC 7489 let the HELO name stand beside it.
  const spf = texts.spfChecks.find(({ scope }) => scope?.toLowerCase() === 'mfrom') ?? texts.spfChecks[0];
  const override = texts.override?.toLowerCase() ?? '';
  return {
    source,
    messages,
    disposition: DISPOSITIONS.find((known) => known === texts.disposition?.toLowerCase()) ?? 'none',
    dkimAligned: isPass(texts.dkim),
    spfAligned: isPass(texts.spf),
    headerFroms,
    dkimResult: signature === undefined ? null : resultOf(signature.result),
    dkimDomain: domainOf(signature?.domain),
    spfResult: spf === undefined ? null : resultOf(spf.result),
    spfDomain: domainOf(spf?.domain),
    override: OVERRIDE.test(override) ? override : null,
  };
}

/** A domain in A-labels and lower case, or null. Names of senders may have underscores, which host names have not. */
export function domainOf(text: string | undefined): string | null {
  const name = text?.replace(/\.$/, '').toLowerCase() ?? '';
  if (NAME.test(name)) return name.length > MAX_NAME_LENGTH ? null : name;
  const parsed = ASCII.test(name) ? 'domain_malformed' : parseDomain(name);
  return typeof parsed === 'object' && parsed.literal === null ? parsed.text : null;
}

/** Whether a name is a domain or lies under it. */
export function isWithin(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

/** Some reporters begin the word with a capital letter. */
function isPass(result: string | undefined): boolean {
  return result?.toLowerCase() === 'pass';
}

function resultOf(text: string | undefined): AuthResult {
  const word = text?.toLowerCase() ?? '';
  return RESULTS.find((known) => known === word) ?? OLD_RESULTS.get(word) ?? 'none';
}
