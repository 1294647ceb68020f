import type { DomainState } from '../engine/domain/domain-state.js';
import type { DomainFacts } from '../engine/domain/facts.js';
import type { DomainFinding, FindingArea } from '../engine/domain/finding.js';
import type { SpfNode, SpfProblem } from '../engine/domain/spf/spf-tree.js';
import type { CheckedDomain } from './domain-checker.service.js';

/** A record that was found. */
export interface FoundRecord {
  readonly area: FindingArea;
  /** With a dot at its end, as name servers write it. */
  readonly name: string;
  readonly type: 'MX' | 'PTR' | 'TXT';
  readonly value: string;
}

/** A term of the SPF record, or of one that it includes, that asks the DNS. */
export interface SpfTerm {
  /** 0 in the domain's own record, one more for each record on the way. */
  readonly depth: number;
  readonly term: string;
  readonly domain: string;
  /** Of this term and of everything below it. */
  readonly lookups: number;
  /** The name that it asks for does not exist. */
  readonly void: boolean;
  readonly problem: SpfProblem | null;
}

/** What came of a check, as it is answered and kept. */
export interface DomainResult {
  readonly state: DomainState;
  readonly counts: Readonly<Record<'critical' | 'warning' | 'info', number>>;
  readonly findings: readonly DomainFinding[];
  readonly records: readonly FoundRecord[];
  readonly spf_lookups: number;
  readonly spf_terms: readonly SpfTerm[];
  readonly dnssec: DomainFacts['dnssec'];
  readonly unanswered: readonly string[];
}

/** Others publish what stands in a result, and may publish much: nobody reads more of it than this. */
const MAX_CHARACTERS = 4_096;
const MAX_ITEMS = 100;

/** @param areas only these; null: all */
export function domainResult(
  { facts, findings, state }: CheckedDomain,
  areas: ReadonlySet<FindingArea> | null,
): DomainResult {
  const isWanted = ({ area }: { readonly area: FindingArea }) => areas === null || areas.has(area);
  const wanted = findings.filter(isWanted);
  const count = (severity: DomainFinding['severity']) => wanted.filter((one) => one.severity === severity).length;
  const counts = { critical: count('critical'), warning: count('warning'), info: count('info') };
  return {
    state: wanted.length === findings.length ? state : stateBy(counts, state),
    counts,
    findings: shown(wanted) as readonly DomainFinding[],
    records: shown(recordsIn(facts).filter(isWanted)) as readonly FoundRecord[],
    spf_lookups: facts.spf.lookups,
    spf_terms: areas === null || areas.has('spf') ? (shown(termsBelow(facts.spf.root)) as readonly SpfTerm[]) : [],
    dnssec: facts.dnssec,
    unanswered: shown(facts.unanswered) as readonly string[],
  };
}

function stateBy({ critical, warning }: DomainResult['counts'], state: DomainState): DomainState {
  if (critical > 0) return 'critical';
  if (state === 'unknown') return state;
  return warning > 0 ? 'warning' : 'ok';
}

function recordsIn({ domain, mx, spf, dmarc, dkim, mtaSts, tlsRpt }: DomainFacts): FoundRecord[] {
  const text = (area: FindingArea, name: string) => (value: string) =>
    ({ area, name: `${name}.`, type: 'TXT', value }) as const;
  return [
    ...mx.hosts.map(({ host, preference }): FoundRecord => {
      return { area: 'mx', name: `${domain}.`, type: 'MX', value: `${preference} ${host}.` };
    }),
    ...spf.records.map(text('spf', domain)),
    ...dkim.keys.map(({ selector, record }) => text('dkim', `${selector}._domainkey.${domain}`)(record)),
    ...(dmarc.record === null ? [] : [text('dmarc', `_dmarc.${dmarc.foundAt}`)(dmarc.record)]),
    ...mtaSts.map(text('mta_sts', `_mta-sts.${domain}`)),
    ...tlsRpt.map(text('tls_rpt', `_smtp._tls.${domain}`)),
  ];
}

/** The tree in the order of its reading, each term before those of the record that it names. */
function termsBelow({ children }: SpfNode, depth = 0): SpfTerm[] {
  return children.flatMap((child) => {
    const { domain, lookups, isVoid, problem } = child;
    return [{ depth, term: child.term ?? '', domain, lookups, void: isVoid, problem }, ...termsBelow(child, depth + 1)];
  });
}

/** With names as the interface writes them, and as much of it as anybody reads. */
function shown(value: unknown): unknown {
  if (typeof value === 'string') return shownText(value);
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(shown);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(entries.map(([name, member]) => [snakeCase(name), shown(member)]));
}

/** PostgreSQL keeps neither NUL nor half a character in JSON, and a record may have the first, its cut the second. */
function shownText(text: string): string {
  return Buffer.from(text.slice(0, MAX_CHARACTERS)).toString().replaceAll('\0', '\u{fffd}');
}

function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
