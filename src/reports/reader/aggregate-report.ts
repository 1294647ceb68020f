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

/** The policy as the reporter read it. */
export interface PublishedPolicy {
  readonly p: string | null;
  readonly sp: string | null;
  readonly np: string | null;
  readonly adkim: string | null;
  readonly aspf: string | null;
  /** Only in RFC 7489. */
  readonly pct: string | null;
  readonly testing: string | null;
  readonly discoveryMethod: string | null;
}

export type Disposition = 'none' | 'pass' | 'quarantine' | 'reject';
/** Results of RFC 8601 sections 2.7.1 and 2.7.2. */
export type AuthResult = 'none' | 'pass' | 'fail' | 'softfail' | 'policy' | 'neutral' | 'temperror' | 'permerror';

/** Messages that one address sent and that fared alike. */
export interface ReportRow {
  /** The address that connected, in its short form. */
  readonly source: string;
  readonly messages: number;
  readonly disposition: Disposition;
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
