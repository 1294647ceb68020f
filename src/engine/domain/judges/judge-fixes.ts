import { type DnsAnswer, type MxRecord, isAbsence, recordsOf } from '../../../mail-dns/domain-dns.js';
import type { DomainFacts, FactDns, FactsOutside } from '../facts.js';
import type { ExaminedDomain } from './judge-domain.js';
import { type DnsFix, type DomainFinding, type FindingSeverity, SEVERITIES } from '../finding.js';

/** More are not judged, and so not certain: whoever has published so many faults has to look anyhow. */
const MAX_JUDGED_FIXES = 40;
/** An SPF record that lets nobody send. */
const NOBODY = /^v=spf1( [-~?]all)?$/i;
const NOT_JUDGED = 'this was not tested, because the domain has too many faults at once';
const NO_TIME = 'this was not tested, because the time of the check was over';

export interface FixJudgement {
  /** Whether the time of the check is over. */
  isOver(): boolean;
  /** What the DNS says of an alias at the name of a fix. */
  aliasAt(fix: DnsFix): Promise<DnsAnswer<string>['outcome']>;
  /** The domain once the fix is published. */
  after(fix: DnsFix): Promise<ExaminedDomain>;
}

/**
 * Findings whose fixes are as certain as they say: each is put into the facts, the same judges judge, and what leaves or makes anything
 * worse needs the owner.
 */
export async function judgeFixes(before: ExaminedDomain, judgement: FixJudgement): Promise<readonly DomainFinding[]> {
  const judged: DomainFinding[] = [];
  let count = 0;
  for (const found of before.findings) {
    const { fix } = found;
    if (fix?.confidence !== 'certain') {
      judged.push(found);
      continue;
    }
    count += 1;
    // Every answer is known, so without a pause nobody else would get a turn until all fixes are judged.
    await new Promise<void>((resolve) => setImmediate(resolve));
    const untested = count > MAX_JUDGED_FIXES ? NOT_JUDGED : judgement.isOver() ? NO_TIME : null;
    const doubt = untested ?? (await doubtOf(found, fix, before, judgement));
    judged.push(
      doubt === null ? found : { ...found, fix: { ...fix, confidence: 'needs_you', why: `${fix.why}; ${doubt}` } },
    );
  }
  return judged;
}

/** Why nobody should publish the fix without a look; null: nothing speaks against it. */
async function doubtOf(
  found: DomainFinding,
  fix: DnsFix,
  before: ExaminedDomain,
  judgement: FixJudgement,
): Promise<string | null> {
  if (fix.kind === 'dns') {
    const alias = await judgement.aliasAt(fix);
    if (alias === 'found') return 'the name is an alias, so the record is in the zone that it leads to';
    if (alias !== 'nodata' && alias !== 'nxdomain') return 'the DNS does not say whether the name is an alias';
  }
  if (fix.current !== null && NOBODY.test(fix.value ?? '')) return 'then nobody may send in the name of the domain';
  const after = await judgement.after(fix);
  const open = new Set(before.facts.unanswered.map(({ area, name }) => `${area} ${name}`));
  if (after.facts.unanswered.some(({ isOpen, area, name }) => isOpen && !open.has(`${area} ${name}`)))
    return 'the DNS does not say what it leads to';
  if (fix.type === 'MX' && fix.value !== null && !isEncryptionKnown(after.facts))
    return 'look first whether the MTA-STS policy and the certificate fit the new name';
  if (after.findings.some((one) => isSame(one, found))) return 'it does not fix everything';
  const left = after.findings.filter((one) => isLeft(one, found));
  if (left.length > 0) return `it leaves ${codesOf(left)}`;
  const worse = after.findings.filter((one) => isWorse(one, found, before.findings));
  return worse.length > 0 ? `publishing it would cause ${codesOf(worse)}` : null;
}

/** What was less bad before, or was not there; in the place of a fault a lesser one of the same kind may come. */
function isWorse(one: DomainFinding, found: DomainFinding, before: readonly DomainFinding[]): boolean {
  const was = severityOf(before, one);
  if (was >= weightOf(one.severity)) return false;
  return was > 0 || one.area !== found.area || weightOf(one.severity) >= weightOf(found.severity);
}

/** Of a domain whose mail must be encrypted, how its mail hosts encrypt decides what another name does. */
function isEncryptionKnown({ mx, mtaSts, stsPolicy }: DomainFacts): boolean {
  const isAsked = mtaSts.length > 0 || mx.hosts.some(({ tlsa }) => (tlsa?.records.length ?? 0) > 0);
  if (!isAsked) return true;
  const isPolicyKnown = mtaSts.length === 0 || (stsPolicy !== null && stsPolicy.outcome !== 'unknown');
  return isPolicyKnown && mx.hosts.every(({ startTls }) => startTls !== null && startTls.outcome !== 'unknown');
}

/** A critical fault of the same record, for which nothing certain is proposed. */
function isLeft(one: DomainFinding, { area, subject }: DomainFinding): boolean {
  const isOfSameRecord = one.area === area && (area === 'spf' || area === 'dmarc' || one.subject === subject);
  return isOfSameRecord && one.severity === 'critical' && one.fix?.confidence !== 'certain';
}

function isSame(one: DomainFinding, other: DomainFinding): boolean {
  return one.code === other.code && one.subject === other.subject;
}

function codesOf(findings: readonly DomainFinding[]): string {
  return [...new Set(findings.map(({ code }) => code))].join(', ');
}

/** How bad a finding was before; 0: it was not there. */
function severityOf(before: readonly DomainFinding[], found: DomainFinding): number {
  return Math.max(0, ...before.filter((one) => isSame(one, found)).map(({ severity }) => weightOf(severity)));
}

function weightOf(severity: FindingSeverity): number {
  return SEVERITIES.length - SEVERITIES.indexOf(severity);
}

/** The DNS as it is once a fix is published. */
export function publishedDns(dns: FactDns, fix: DnsFix): FactDns {
  const at = fix.name.replace(/\.$/, '');
  const isThere = (name: string) => name.toLowerCase() === at.toLowerCase();
  switch (fix.type) {
    case 'TXT':
      return {
        ...dns,
        txt: async (name) => (isThere(name) ? replaced(await dns.txt(name), fix, TEXT) : dns.txt(name)),
      };
    case 'MX':
      return {
        ...dns,
        mx: async (name) => (isThere(name) ? replaced(await dns.mx(name), fix, MAIL_HOST) : dns.mx(name)),
      };
    // Only the owner knows their values, so none is judged: it would change nothing, and not be certain.
    case 'PTR':
    case 'TLSA':
    // No record: `publishedOutside` has it.
    case 'file':
      return dns;
  }
}

/** The web server of the policy of MTA-STS once a fix is published; it gives the file the type that it gave the one before. */
export function publishedOutside(outside: FactsOutside, { type, value }: DnsFix): FactsOutside {
  if (type !== 'file' || value === null) return outside;
  return {
    ...outside,
    stsPolicy: async (domain) => {
      const before = await outside.stsPolicy(domain);
      const mediaType = before.outcome === 'found' ? before.mediaType : 'text/plain';
      return { outcome: 'found', text: value, mediaType };
    },
  };
}

interface Form<T> {
  write(record: T): string;
  read(text: string): T;
}

const TEXT: Form<string> = { write: (text) => text, read: (text) => text };
/** `10 mx.example.com.` */
const MAIL_HOST: Form<MxRecord> = {
  write: ({ preference, exchange }) => `${preference} ${exchange}.`,
  read: (text) => {
    const [preference, exchange = ''] = text.split(' ');
    return { preference: Number(preference), exchange: exchange.replace(/\.$/, '') };
  },
};

function replaced<T>(answer: DnsAnswer<T>, { current, value }: DnsFix, form: Form<T>): DnsAnswer<T> {
  if (answer.outcome !== 'found' && !isAbsence(answer)) return answer;
  const gone = new Set(current?.split('\n'));
  const left = recordsOf(answer).filter((record) => !gone.has(form.write(record)));
  const records = value === null ? left : [...left, form.read(value)];
  return records.length === 0 ? { outcome: 'nodata' } : { outcome: 'found', records, ttlSeconds: 0 };
}
