export const FINDING_AREAS = [
  'mx',
  'reverse',
  'spf',
  'dkim',
  'dmarc',
  'mta_sts',
  'tls_rpt',
  'dane',
  'dnssec',
  'starttls',
  'registration',
  'bimi',
] as const;

export type FindingArea = (typeof FINDING_AREAS)[number];

/**
 * Areas that ask others than the DNS, who are not to be asked more than once a day: mail hosts, registries, web servers of logos. The keys of
 * mail hosts decide about DANE, so it is among them. The policy of MTA-STS is not: its changes are seen in three looks.
 */
export const DAILY_AREAS: readonly FindingArea[] = ['starttls', 'dane', 'registration', 'bimi'];

/** The worst first. */
export const SEVERITIES = ['critical', 'warning', 'info'] as const;
export type FindingSeverity = (typeof SEVERITIES)[number];

/** Every finding of a check of a domain by its stable code: where it belongs, how bad it is, and the standard that says so. */
export const FINDINGS = {
  domain_missing: ['mx', 'critical', 'RFC 8020'],
  mx_missing: ['mx', 'critical', 'RFC 5321 section 5.1'],
  mx_unresolvable: ['mx', 'critical', 'RFC 5321 section 5.1'],
  mx_private_address: ['mx', 'critical', 'RFC 5321 section 5.1'],
  mx_is_alias: ['mx', 'warning', 'RFC 2181 section 10.3'],
  mx_is_address: ['mx', 'critical', 'RFC 5321 section 5.1'],
  mx_null_not_alone: ['mx', 'warning', 'RFC 7505 section 3'],
  mx_single: ['mx', 'info', null],
  mx_null: ['mx', 'info', 'RFC 7505'],
  ptr_missing: ['reverse', 'critical', 'RFC 1912 section 2.1'],
  ptr_not_forward: ['reverse', 'warning', 'RFC 1912 section 2.1'],
  spf_missing: ['spf', 'warning', 'RFC 7208'],
  spf_multiple: ['spf', 'critical', 'RFC 7208 section 4.5'],
  spf_syntax: ['spf', 'critical', 'RFC 7208 section 4.6'],
  spf_include_missing: ['spf', 'critical', 'RFC 7208 section 5.2'],
  spf_broken: ['spf', 'critical', 'RFC 7208 section 4.6'],
  spf_too_many_lookups: ['spf', 'critical', 'RFC 7208 section 4.6.4'],
  spf_near_limit: ['spf', 'warning', 'RFC 7208 section 4.6.4'],
  spf_void_lookups: ['spf', 'critical', 'RFC 7208 section 4.6.4'],
  spf_plus_all: ['spf', 'critical', 'RFC 7208 section 5.1'],
  spf_too_wide: ['spf', 'warning', null],
  spf_terms_after_all: ['spf', 'warning', 'RFC 7208 section 5.1'],
  spf_redirect_ignored: ['spf', 'warning', 'RFC 7208 section 6.1'],
  spf_mechanism_ignored: ['spf', 'warning', 'RFC 7208 section 6'],
  spf_term_repeated: ['spf', 'info', 'RFC 7208 section 4.6.4'],
  spf_record_long: ['spf', 'warning', 'RFC 7208 section 3.4'],
  txt_wildcard: ['spf', 'info', 'RFC 7208 section 3.5'],
  spf_neutral_all: ['spf', 'warning', 'RFC 7208 section 5.1'],
  spf_ptr: ['spf', 'warning', 'RFC 7208 section 5.5'],
  spf_sender_not_covered: ['spf', 'critical', 'RFC 7208 section 2.6'],
  dkim_key_syntax: ['dkim', 'critical', 'RFC 6376 section 3.6.1'],
  dkim_key_under_1024: ['dkim', 'critical', 'RFC 8301 section 3.2'],
  dkim_key_1024: ['dkim', 'warning', 'RFC 8301 section 3.2'],
  dkim_key_without_sha256: ['dkim', 'critical', 'RFC 8301 section 3.1'],
  dkim_key_not_for_mail: ['dkim', 'critical', 'RFC 6376 section 3.6.1'],
  dkim_multiple_keys: ['dkim', 'critical', 'RFC 6376 section 3.6.2.2'],
  dkim_testing: ['dkim', 'warning', 'RFC 6376 section 3.6.1'],
  dkim_revoked: ['dkim', 'info', 'RFC 6376 section 3.6.1'],
  dkim_key_gone: ['dkim', 'critical', 'RFC 6376 section 6.1.2'],
  dmarc_missing: ['dmarc', 'critical', 'RFC 9989'],
  dmarc_multiple: ['dmarc', 'critical', 'RFC 9989 section 4.10'],
  dmarc_syntax: ['dmarc', 'critical', 'RFC 9989 section 4.7'],
  dmarc_policy_none: ['dmarc', 'warning', 'RFC 9989 section 4.7'],
  dmarc_no_rua: ['dmarc', 'warning', 'RFC 9990'],
  dmarc_rua_unauthorised: ['dmarc', 'warning', 'RFC 9990 section 4'],
  dmarc_ruf_unauthorised: ['dmarc', 'warning', 'RFC 9991 section 5'],
  dmarc_report_domain_no_mail: ['dmarc', 'warning', 'RFC 9990 section 3.5'],
  dmarc_report_uri: ['dmarc', 'warning', 'RFC 9989 section 4.7'],
  dmarc_alignment_mode: ['dmarc', 'warning', 'RFC 9989 section 4.7'],
  dmarc_np_weaker: ['dmarc', 'warning', 'RFC 9989 section 4.7'],
  dmarc_stray_record: ['dmarc', 'warning', 'RFC 9989 section 4.7'],
  dmarc_testing: ['dmarc', 'warning', 'RFC 9989 section 4.7'],
  dmarc_sp_weaker: ['dmarc', 'warning', 'RFC 9989 section 4.7'],
  dmarc_tag_retired: ['dmarc', 'info', 'RFC 9989'],
  sts_missing: ['mta_sts', 'info', 'RFC 8461'],
  sts_syntax: ['mta_sts', 'warning', 'RFC 8461 section 3.1'],
  sts_policy_unreachable: ['mta_sts', 'critical', 'RFC 8461 section 3.3'],
  sts_policy_syntax: ['mta_sts', 'critical', 'RFC 8461 section 3.2'],
  sts_media_type: ['mta_sts', 'warning', 'RFC 8461 section 3.3'],
  sts_mx_not_covered: ['mta_sts', 'critical', 'RFC 8461 section 4.1'],
  sts_testing: ['mta_sts', 'warning', 'RFC 8461 section 5'],
  sts_max_age_short: ['mta_sts', 'warning', 'RFC 8461 section 3.2'],
  tls_rpt_missing: ['tls_rpt', 'info', 'RFC 8460'],
  tls_rpt_syntax: ['tls_rpt', 'warning', 'RFC 8460 section 3'],
  dane_without_dnssec: ['dane', 'warning', 'RFC 7672 section 2.2'],
  dane_mismatch: ['dane', 'critical', 'RFC 7672 section 3.1'],
  dane_usage: ['dane', 'warning', 'RFC 7672 section 3.1.3'],
  dane_rollover_missing: ['dane', 'info', 'RFC 7671 section 8.1'],
  starttls_missing: ['starttls', 'warning', 'RFC 3207'],
  starttls_failed: ['starttls', 'warning', 'RFC 3207 section 4.1'],
  tls_too_old: ['starttls', 'warning', 'RFC 8996'],
  cert_expired: ['starttls', 'critical', 'RFC 5280 section 4.1.2.5'],
  cert_expires_soon: ['starttls', 'warning', 'RFC 5280 section 4.1.2.5'],
  cert_name_mismatch: ['starttls', 'warning', 'RFC 8461 section 4.2'],
  cert_untrusted: ['starttls', 'info', 'RFC 8461 section 4.2'],
  registration_expires_soon: ['registration', 'warning', null],
  registration_ending: ['registration', 'critical', 'RFC 8056'],
  registration_on_hold: ['registration', 'critical', 'RFC 8056'],
  bimi_syntax: ['bimi', 'warning', 'draft-brand-indicators-for-message-identification'],
  bimi_not_enforced: ['bimi', 'warning', 'draft-brand-indicators-for-message-identification'],
  bimi_logo_unreachable: ['bimi', 'warning', 'draft-brand-indicators-for-message-identification'],
  bimi_logo_profile: ['bimi', 'warning', 'draft-svg-tiny-ps-abrotman'],
  bimi_no_certificate: ['bimi', 'info', 'draft-brand-indicators-for-message-identification'],
  bimi_certificate_unreachable: ['bimi', 'warning', 'draft-brand-indicators-for-message-identification'],
  bimi_certificate_unfit: ['bimi', 'warning', 'draft-brand-indicators-for-message-identification'],
  bimi_certificate_expired: ['bimi', 'warning', 'draft-brand-indicators-for-message-identification'],
  bimi_certificate_expires_soon: ['bimi', 'warning', 'draft-brand-indicators-for-message-identification'],
  dnssec_bogus: ['dnssec', 'critical', 'RFC 4035 section 5.5'],
  dnssec_unsigned: ['dnssec', 'info', 'RFC 4033'],
} as const satisfies Record<string, readonly [FindingArea, FindingSeverity, string | null]>;

export type FindingCode = keyof typeof FINDINGS;

/**
 * The record, or the file, to publish. `needs_you`: it has a value that only the owner knows, as `<…>`, a choice that only the owner may
 * make, or something else gets worse by it. Judges propose; what they call certain is judged once more (`judge-fixes.ts`).
 */
export interface DnsFix {
  readonly kind: 'dns' | 'file';
  readonly action: 'add' | 'replace' | 'remove';
  /** A name with a dot at its end; of a file its URL. */
  readonly name: string;
  readonly type: 'TXT' | 'MX' | 'PTR' | 'TLSA' | 'file';
  readonly current: string | null;
  /** Null: nothing takes its place. */
  readonly value: string | null;
  readonly why: string;
  readonly confidence: 'certain' | 'needs_you';
}

export interface DomainFinding {
  readonly code: FindingCode;
  readonly area: FindingArea;
  readonly severity: FindingSeverity;
  /** What it is about: the domain, a mail host, an address, a selector. */
  readonly subject: string;
  readonly explanation: string;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly fix: DnsFix | null;
  readonly rfc: string | null;
}

export function finding(
  code: FindingCode,
  subject: string,
  explanation: string,
  evidence: DomainFinding['evidence'],
  fix: DnsFix | null = null,
): DomainFinding {
  const [area, severity, rfc] = FINDINGS[code];
  return { code, area, severity, subject, explanation, evidence, fix, rfc };
}

/** The same, where it stops mail. */
export function critical(found: DomainFinding): DomainFinding {
  return { ...found, severity: 'critical' };
}

/** A fix of a TXT record. */
export function txtFix(
  name: string,
  [current, value]: readonly [string | null, string | null],
  confidence: DnsFix['confidence'],
  why: string,
): DnsFix {
  const action = current === null ? 'add' : value === null ? 'remove' : 'replace';
  return { kind: 'dns', action, name: `${name}.`, type: 'TXT', current, value, why, confidence };
}
