import type { DmarcFacts } from './dmarc.js';
import { type DomainDns, isAbsence, recordsOf } from '../../mail-dns/domain-dns.js';
import { parseTagList, tagOf } from './tag-list.js';
import { readUrl } from '../../lib/read-url.js';

/* BIMI: the logo that receivers show beside a domain's mail, by draft-brand-indicators-for-message-identification. */

/** What came of fetching a file. `failed`: `why` in words that a person can mend by; `unknown`: nobody answered. */
export type FetchedFile<T> =
  | { readonly outcome: 'found'; readonly content: T }
  | { readonly outcome: 'failed'; readonly why: string }
  | { readonly outcome: 'unknown' };

export interface LogoContent {
  readonly bytes: number;
  /** Why receivers refuse it, in words; empty: nothing of what was looked at. */
  readonly problems: readonly string[];
}

/** A Verified or Common Mark Certificate. Nobody has judged who signed it. */
export interface MarkCertificate {
  /** In lower case. */
  readonly names: readonly string[];
  readonly issuer: string;
  /** Milliseconds since the epoch. */
  readonly validTo: number;
  /** It is meant for logos: its extended key usage says so. */
  readonly isForMarks: boolean;
}

export interface BimiRecord {
  /** Where it stands: at the domain, or at its organization. */
  readonly name: string;
  readonly records: readonly string[];
  readonly logoUrl: string | null;
  readonly certificateUrl: string | null;
  /** Why no receiver can use it; null: it can be used, or says that there is no logo. */
  readonly problem: string | null;
}

export interface BimiFacts extends BimiRecord {
  /** Null: not fetched, since no record names it or nobody wanted to know. */
  readonly logo: FetchedFile<LogoContent> | null;
  readonly certificate: FetchedFile<MarkCertificate> | null;
}

/** Null: nobody has published a record, or the DNS did not answer for it. @param dmarc knows the domain of the organization */
export async function readBimi(
  domain: string,
  dmarc: Promise<Pick<DmarcFacts, 'organizationalDomain'>>,
  dns: Pick<DomainDns, 'txt'>,
): Promise<BimiRecord | null> {
  for (const at of [() => domain, async () => (await dmarc).organizationalDomain]) {
    const name = `default._bimi.${await at()}`;
    const answer = await dns.txt(name);
    if (answer.outcome !== 'found' && !isAbsence(answer)) return null;
    const records = recordsOf(answer).filter((text) => /^\s*v\s*=\s*BIMI1\s*(;|$)/i.test(text));
    if (records.length > 0) return recordOf(name, records);
  }
  return null;
}

function recordOf(name: string, records: readonly string[]): BimiRecord {
  const nothing = { name, records, logoUrl: null, certificateUrl: null };
  if (records.length > 1) return { ...nothing, problem: 'there is more than one' };
  const tags = parseTagList(records[0]!);
  if (tags.broken.length > 0) return { ...nothing, problem: `"${tags.broken[0]!.slice(0, 80)}" is no tag` };
  const logo = tagOf(tags, 'l');
  const authority = tagOf(tags, 'a') ?? '';
  // A record with an empty logo says that the domain has none.
  if (logo === '' && authority === '') return { ...nothing, problem: null };
  if (logo === null || logo === '') return { ...nothing, problem: 'it names no logo (l=)' };
  const odd = [logo, authority].find((text) => text !== '' && !isHttps(text));
  if (odd !== undefined) return { ...nothing, problem: `"${odd.slice(0, 80)}" is no https URL` };
  return { ...nothing, logoUrl: logo, certificateUrl: authority === '' ? null : authority, problem: null };
}

function isHttps(text: string): boolean {
  return readUrl(text)?.protocol === 'https:';
}
