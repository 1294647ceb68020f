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

export type TlsPolicyType = (typeof TLS_POLICY_TYPES)[number];

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
export interface TlsFailure {
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
