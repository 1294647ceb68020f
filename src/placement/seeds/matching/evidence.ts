import type { HeaderField } from './header-fields.js';

const KEPT =
  /^(authentication-results|arc-authentication-results|x-spam(-.+)?|x-spamd-.+|x-rspamd-.+|x-forefront-antispam-report|x-microsoft-antispam|x-ms-exchange-organization-scl|x-ms-exchange-organization-pcl|x-sid-result|x-ymailisg|x-apple-.*spam.*|x-gmx-antispam|x-ui-filterresults|x-proofpoint-spam-details|x-zohomail-.*)$/;
const MAX_HEADERS = 10;
const MAX_VALUE = 1_000;
/** What the cut leaves of a pair of surrogates, which PostgreSQL's JSON refuses. */
const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

export interface EvidenceHeader {
  readonly name: string;
  readonly value: string;
}

/** Headers by which a provider tells what it thinks of a mail, kept as they came; trust nothing in them. */
export function evidenceOf(fields: readonly HeaderField[]): EvidenceHeader[] {
  return fields
    .filter(({ name }) => KEPT.test(name))
    .slice(0, MAX_HEADERS)
    .map(({ name, value }) => ({ name, value: value.slice(0, MAX_VALUE).replace(HALF_CHARACTER, '') }));
}
