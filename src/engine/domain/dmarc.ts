import { type DnsAnswer, type DomainDns, isAbsence, recordsOf } from '../../mail-dns/domain-dns.js';
import { registered } from '../../mail-dns/registrable.js';
import { parseTagList, repeatedTag, type TagList, tagOf } from './tag-list.js';

/*
 * DMARC by RFC 9989: the policy is looked for by a walk up the names instead of a list of public suffixes; `np`, `psd` and `t` are tags,
 * `pct`, `rf` and `ri` are none any more, and a record without `p` asks for nothing.
 */

export type DmarcPolicy = 'none' | 'quarantine' | 'reject';

export interface DmarcStep {
  readonly name: string;
  /** Texts that claim to be DMARC; more than one is as none. */
  readonly records: readonly string[];
  readonly isAnswered: boolean;
}

export interface DmarcFacts {
  /** The names that were asked, from the domain upwards. */
  readonly steps: readonly DmarcStep[];
  readonly organizationalDomain: string;
  /** Where the policy that holds for the domain stands; null: nobody has published one. */
  readonly foundAt: string | null;
  readonly record: string | null;
  /** What receivers do with mail that fails, for the domain, its subdomains and names below it that do not exist. */
  readonly policy: DmarcPolicy;
  readonly subdomainPolicy: DmarcPolicy;
  readonly nonexistentPolicy: DmarcPolicy;
  readonly isTesting: boolean;
  /** False: the DNS did not answer for a name on which the policy depends, so nothing is known of it. */
  readonly isAnswered: boolean;
}

const POLICIES: readonly string[] = ['none', 'quarantine', 'reject'];
/** Section 4.10: of longer names, the walk leaps to the last seven labels. */
const MAX_STEPS = 8;

/** The texts that claim to be DMARC: the version comes first, and in this spelling (section 4.7). */
export function dmarcRecordsOf(texts: readonly string[]): string[] {
  return texts.filter((text) => /^v\s*=\s*DMARC1\s*(;|$)/.test(text.trimStart()));
}

/** A text that looks like a DMARC record and is none: it is written wrongly, or stands at the domain itself. */
export interface StrayDmarc {
  readonly name: string;
  readonly record: string;
}

/** Bounded, since a stranger's text may be 64 KB of characters that each part of the pattern can take. */
const RESEMBLES_DMARC = /^\W{0,20}(v\W{1,20})?dmarc\d{0,20}(?![-.=\w])/i;
const VERSION = /^\W{0,20}v\W/i;
const POLICY = /\bp\s{0,20}=\s{0,20}(none|quarantine|reject)\b/i;
const MAX_STRAYS = 5;

/** Texts by which services prove whose a domain is begin with `dmarc` too (`dmarc-verification=…`): they have neither version nor policy. */
function resemblesDmarc(text: string): boolean {
  return RESEMBLES_DMARC.test(text) && (VERSION.test(text) || POLICY.test(text));
}

export async function readStrayDmarc(domain: string, dns: Pick<DomainDns, 'txt'>): Promise<readonly StrayDmarc[]> {
  const [at, above] = await Promise.all([dns.txt(`_dmarc.${domain}`), dns.txt(domain)]);
  const counted = dmarcRecordsOf(recordsOf(at));
  const wrong = recordsOf(at).filter((text) => resemblesDmarc(text) && !counted.includes(text));
  const misplaced = recordsOf(above).filter(resemblesDmarc);
  return [
    ...wrong.map((record) => ({ name: `_dmarc.${domain}`, record })),
    ...misplaced.map((record) => ({ name: domain, record })),
  ].slice(0, MAX_STRAYS);
}

/** The names that the walk asks for a domain, itself first. */
export function dmarcWalk(domain: string): string[] {
  const labels = domain.split('.');
  const walk = [domain];
  let left = labels.length >= MAX_STEPS ? labels.slice(-(MAX_STEPS - 1)) : labels.slice(1);
  for (; left.length > 0; left = left.slice(1)) walk.push(left.join('.'));
  return walk;
}

/** Looks for the policy of a domain, and for the domain that its organization has. */
export async function readDmarc(domain: string, dns: DomainDns): Promise<DmarcFacts> {
  const steps: DmarcStep[] = [];
  const found: { name: string; tags: TagList; record: string }[] = [];
  // All at once: silence above a domain is waited for together with its own.
  const walk = dmarcWalk(domain).map((name) => ({ name, asked: dns.txt(`_dmarc.${name}`) }));
  for (const { name, asked } of walk) {
    const answer: DnsAnswer<string> = await asked;
    const records = dmarcRecordsOf(recordsOf(answer));
    steps.push({ name, records, isAnswered: answer.outcome === 'found' || isAbsence(answer) });
    if (records.length !== 1) continue;
    const tags = parseTagList(records[0]!);
    found.push({ name, tags, record: records[0]! });
    if (['y', 'n'].includes(tagOf(tags, 'psd') ?? '')) break;
  }
  const zone = registered(domain) ?? domain;
  const isWithinZone = ({ name }: { readonly name: string }) => name === zone || name.endsWith(`.${zone}`);
  // Above what somebody has registered no name decides while one below has a record.
  const isZoneAnswered = steps.filter(isWithinZone).every((step) => step.isAnswered);
  const isZoneDecided = isZoneAnswered && steps.some((step) => isWithinZone(step) && step.records.length > 0);
  const isAnswered = steps[0]!.records.length > 0 || isZoneDecided || steps.every((step) => step.isAnswered);
  const organizationalDomain = isZoneAnswered ? organizationOf(domain, found) : zone;
  const own = found.find(({ name }) => name === domain);
  const holds = own ?? found.find(({ name }) => name === organizationalDomain) ?? found.find(isPublicSuffix);
  if (holds === undefined) return { ...NOTHING, steps, organizationalDomain, isAnswered };
  const tag = (name: string) => (hasValidPolicy(holds.tags) ? policyOf(tagOf(holds.tags, name)) : null);
  const atDomain = tag('p') ?? 'none';
  const below = tag('sp') ?? atDomain;
  return {
    steps,
    organizationalDomain,
    foundAt: holds.name,
    record: holds.record,
    policy: holds === own ? atDomain : below,
    subdomainPolicy: below,
    nonexistentPolicy: tag('np') ?? below,
    isTesting: tagOf(holds.tags, 't') === 'y',
    isAnswered,
  };
}

/** Of a record without a valid policy, or with one that is not, nothing is applied (section 4.10.1), nor of one that is invalid as a whole. */
function hasValidPolicy(tags: TagList): boolean {
  const isValid = (name: string) => tagOf(tags, name) === null || policyOf(tagOf(tags, name)) !== null;
  return repeatedTag(tags) === null && tagOf(tags, 'p') !== null && ['p', 'sp', 'np'].every(isValid);
}

const NOTHING = {
  foundAt: null,
  record: null,
  policy: 'none',
  subdomainPolicy: 'none',
  nonexistentPolicy: 'none',
  isTesting: false,
} as const;

function isPublicSuffix({ tags }: { readonly tags: TagList }): boolean {
  return tagOf(tags, 'psd') === 'y';
}

/** Section 4.10.2. */
function organizationOf(domain: string, found: readonly { readonly name: string; readonly tags: TagList }[]): string {
  const last = found.at(-1);
  if (last === undefined) return domain;
  if (tagOf(last.tags, 'psd') === 'n') return last.name;
  if (!isPublicSuffix(last) || last.name === domain) return last.name;
  const labels = domain.split('.');
  return labels.slice(-(last.name.split('.').length + 1)).join('.');
}

/** Null: the tag is not there, or says nothing that is known. */
export function policyOf(value: string | null): DmarcPolicy | null {
  const policy = value?.toLowerCase() ?? '';
  return POLICIES.includes(policy) ? (policy as DmarcPolicy) : null;
}

/** The domains of addresses in `rua` that are not the record's own, which must agree (RFC 9990). */
export function foreignReportDomains(rua: string, organizationalDomain: string): string[] {
  const domains = rua.split(',').flatMap((uri) => /^\s*mailto:[^@\s]+@([^!\s,]+)/i.exec(uri)?.[1]?.toLowerCase() ?? []);
  const isOwn = (domain: string) => domain === organizationalDomain || domain.endsWith(`.${organizationalDomain}`);
  return [...new Set(domains)].filter((domain) => !isOwn(domain));
}

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
