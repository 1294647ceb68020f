import { type DmarcFacts, foreignReportDomains } from './dmarc.js';
import { type DomainDns, isAbsence, recordsOf } from '../../mail-dns/domain-dns.js';
import { parseTagList, tagOf } from './tag-list.js';

/** Where the reports of a DMARC record go. */
export interface ReportDestinations {
  /** Domains of `rua` that are not the organization's, and have not agreed. */
  readonly unauthorised: readonly string[];
  /** Those of `ruf`. */
  readonly unauthorisedFailures: readonly string[];
  /** Domains that take no mail. */
  readonly withoutMail: readonly string[];
  /** Names for which the DNS did not answer. */
  readonly unanswered: readonly string[];
}

/** Receivers limit how many addresses they report to (RFC 9990 section 3.5). */
const MAX_DESTINATIONS = 10;

export async function readReportDestinations(
  { record, foundAt, organizationalDomain }: DmarcFacts,
  dns: DomainDns,
): Promise<ReportDestinations> {
  const tags = parseTagList(record ?? '');
  const unanswered: string[] = [];
  const foreign = (tag: string) =>
    foreignReportDomains(tagOf(tags, tag) ?? '', organizationalDomain).slice(0, MAX_DESTINATIONS);
  const isRefused = async (destination: string): Promise<boolean> => {
    const name = `${foundAt}._report._dmarc.${destination}`;
    const answer = await dns.txt(name);
    if (answer.outcome === 'found') return !answer.records.some((text) => /^v\s*=\s*DMARC1/.test(text));
    if (isAbsence(answer)) return true;
    unanswered.push(name);
    return false;
  };
  const takesNone = async (destination: string): Promise<boolean> => {
    const mx = await dns.mx(destination);
    if (mx.outcome === 'found') return mx.records.every(({ exchange }) => exchange === '');
    // Without a mail host its address takes mail (RFC 5321 section 5.1).
    const addresses = isAbsence(mx) ? await Promise.all([dns.a(destination), dns.aaaa(destination)]) : [mx];
    if (addresses.some((one) => recordsOf<unknown>(one).length > 0)) return false;
    if (addresses.every(isAbsence)) return true;
    unanswered.push(destination);
    return false;
  };
  const destinations = [...new Set(['rua', 'ruf'].flatMap((tag) => mailDomains(tagOf(tags, tag) ?? '')))];
  const [unauthorised, unauthorisedFailures, withoutMail] = await Promise.all([
    those(foreign('rua'), isRefused),
    those(foreign('ruf'), isRefused),
    those(destinations.slice(0, MAX_DESTINATIONS), takesNone),
  ]);
  return { unauthorised, unauthorisedFailures, withoutMail, unanswered };
}

/** The domains of all addresses in a tag, the record's own too. */
function mailDomains(uris: string): string[] {
  return foreignReportDomains(uris, '');
}

async function those(names: readonly string[], isSo: (name: string) => Promise<boolean>): Promise<string[]> {
  const said = await Promise.all(names.map(isSo));
  return names.filter((_, at) => said[at]);
}
