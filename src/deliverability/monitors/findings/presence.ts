import type { FoundRecordReply } from '../../domains/finding.reply.js';
import type { FindingArea } from '../../../engine/domain/finding.js';
import type { SeenFinding } from './monitor-run.js';

/** By area, type and name of a record: whether each of the last looks that were answered found it (`1`) or not (`0`), the newest last. */
export type Presence = Readonly<Record<string, string>>;

/** What a look saw of the records of a domain. */
interface PresenceObservation {
  readonly domain: string;
  readonly records: readonly FoundRecordReply[];
  /** Areas that were asked about, and answered: in others a record that was not found may be there. */
  readonly answered: ReadonlySet<FindingArea>;
  /** Selectors of DKIM that were asked for. */
  readonly selectors: readonly string[];
}

/** So many looks are remembered. */
const RUNS = 8;
/** A record that somebody adds, removes or restores changes once or twice; more often it is the name servers that disagree. */
const MIN_CHANGES = 3;
/** Selectors are searched for by the dozen; nobody publishes more records than these. */
const MAX_RECORDS = 60;
/** Areas whose records stand at names of the domain itself, and are asked about whatever the others say. */
const AREAS: readonly FindingArea[] = ['mx', 'spf', 'dmarc', 'dkim', 'mta_sts', 'tls_rpt'];

/** A record that is there every other time is seen by the chance of which name server answers: receivers see it so as well. */
export function watchPresence(
  before: Presence,
  look: PresenceObservation,
): { readonly presence: Presence; readonly findings: readonly SeenFinding[] } {
  const found = new Set(look.records.filter((one) => isWatched(one, look.domain)).map(keyOf));
  const keys = [...new Set([...Object.keys(before), ...found])].slice(0, MAX_RECORDS);
  const presence: Record<string, string> = {};
  for (const key of keys) {
    const last = before[key] ?? '';
    const looks = isAnswered(key, look) ? `${last}${found.has(key) ? 1 : 0}`.slice(-RUNS) : last;
    if (looks.includes('1')) presence[key] = looks;
  }
  return { presence, findings: Object.entries(presence).flatMap(([key, looks]) => findingOf(key, looks) ?? []) };
}

function isWatched({ area, name, type }: FoundRecordReply, domain: string): boolean {
  const isOfDomain = name === `${domain}.` || name.endsWith(`.${domain}.`);
  return isOfDomain && AREAS.includes(area) && (type === 'TXT' || type === 'MX');
}

function keyOf({ area, type, name }: Pick<FoundRecordReply, 'area' | 'type' | 'name'>): string {
  return `${area} ${type} ${name}`;
}

function isAnswered(key: string, { answered, selectors, domain }: PresenceObservation): boolean {
  const [area = '', , name = ''] = key.split(' ');
  if (!answered.has(area as FindingArea)) return false;
  return area !== 'dkim' || selectors.some((selector) => name === `${selector}._domainkey.${domain}.`);
}

function findingOf(key: string, looks: string): SeenFinding | null {
  const changes = looks.split('').filter((look, index) => index > 0 && look !== looks[index - 1]).length;
  if (changes < MIN_CHANGES) return null;
  const [area = '', type = '', name = ''] = key.split(' ');
  const found = looks.split('').filter((look) => look === '1').length;
  return {
    code: 'inconsistent_answers',
    area: area as FindingArea,
    severity: 'warning',
    subject: `${type} ${name}`,
    explanation: `The ${type} record at ${name} was there in ${found} of the last ${looks.length} checks. Some name servers of the domain have it and others do not, so receivers see it by chance: make all of them answer alike.`,
    evidence: { name, type, checks: looks.length, found },
    fix: null,
    rfc: 'RFC 1034 section 4.3.5',
  };
}
