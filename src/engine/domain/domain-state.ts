import type { DomainFacts, Silence } from './facts.js';
import { type DomainFinding, type FindingArea, FINDING_AREAS, type FindingCode } from './finding.js';

/**
 * How a domain is, in a word. `unknown`: the DNS left a question open behind which it may be worse, or nobody has answered anything, which
 * is not health.
 */
export type DomainState = 'ok' | 'warning' | 'critical' | 'unknown';

/** @param areas only these count; null: all */
export function stateOf(
  facts: DomainFacts,
  findings: readonly DomainFinding[],
  areas: ReadonlySet<FindingArea> | null = null,
): DomainState {
  const isWanted = ({ area }: { readonly area: FindingArea }) => areas === null || areas.has(area);
  const own = findings.filter(isWanted);
  const has = (wanted: DomainFinding['severity']) => own.some(({ severity }) => severity === wanted);
  if (has('critical')) return 'critical';
  if (unknownAreas(facts, findings, areas).length > 0) return 'unknown';
  return has('warning') ? 'warning' : 'ok';
}

/** What nobody answered of these areas, and of those whose questions these wait for; null: of all. */
export function silencesOf(facts: DomainFacts, areas: ReadonlySet<FindingArea> | null): readonly Silence[] {
  if (areas === null) return facts.unanswered;
  const silences = facts.unanswered.filter(({ area }) => areas.has(area));
  for (const area of areas) {
    const before = DEPENDS_ON[area];
    if (before === undefined || areas.has(before)) continue;
    const hiding = facts.unanswered.filter((one) => one.area === before && one.isOpen && one.hides === null);
    silences.push(...hiding.map((one) => ({ ...one, area })));
  }
  // A resolver that validates nothing is no news to whoever asks for all.
  if (areas.has('dnssec') && facts.dnssec === 'unknown')
    silences.push({ area: 'dnssec', name: `DNSSEC of ${facts.domain}`, isOpen: false, hides: null });
  return silences;
}

/**
 * The areas of these that may be worse than they look: silence hides it, or nobody has answered anything of them all.
 * @param areas only these; null: all
 */
export function unknownAreas(
  facts: DomainFacts,
  findings: readonly DomainFinding[],
  areas: ReadonlySet<FindingArea> | null,
): readonly FindingArea[] {
  const open = silencesOf(facts, areas).flatMap(({ area, isOpen }) => (isOpen ? [area] : []));
  if (open.length > 0) return [...new Set(open)];
  const wanted = FINDING_AREAS.filter((area) => areas === null || areas.has(area));
  const answered = answeredAreas(facts);
  const isAnyKnown = wanted.some((area) => answered.has(area)) || findings.some(({ area }) => wanted.includes(area));
  return isAnyKnown ? [] : wanted;
}

/** Whether the DNS has answered for the domain itself. */
export function isAnswered({ mx: { outcome } }: Pick<DomainFacts, 'mx'>): boolean {
  return outcome === 'found' || outcome === 'nxdomain' || outcome === 'nodata';
}

/** All that is known of a domain that does not exist. */
const OF_A_MISSING_DOMAIN: readonly FindingArea[] = ['mx', 'registration'];

/** Areas whose questions come of another one's answers: while that one is silent, they were not all asked. */
const DEPENDS_ON: Partial<Readonly<Record<FindingArea, FindingArea>>> = {
  reverse: 'spf',
  mta_sts: 'mx',
  tls_rpt: 'mx',
  starttls: 'mx',
  dane: 'mx',
  // Receivers look at a logo only behind a policy.
  bimi: 'dmarc',
};

/**
 * The areas of which everything was asked and answered: what is not found wrong there is not wrong, but for `hiddenCodes`. Of the others
 * silence may hide it.
 */
export function answeredAreas(facts: DomainFacts): ReadonlySet<FindingArea> {
  const silent = new Set<FindingArea | undefined>(
    facts.unanswered.filter(({ hides }) => hides === null).map(({ area }) => area),
  );
  return new Set(
    FINDING_AREAS.filter((area) => !silent.has(area) && !silent.has(DEPENDS_ON[area]) && isQueried(area, facts)),
  );
}

/** Findings that silence may hide although all else of their area was answered. */
export function hiddenCodes({ unanswered }: DomainFacts): ReadonlySet<FindingCode> {
  return new Set(unanswered.flatMap(({ hides }) => hides ?? []));
}

function isQueried(area: FindingArea, { isMissing, mx, dnssec, registration }: DomainFacts): boolean {
  if (isMissing && !OF_A_MISSING_DOMAIN.includes(area)) return false;
  if (area === 'dnssec') return dnssec !== 'unknown';
  if (area === 'registration') return registration !== null;
  return (area !== 'starttls' && area !== 'dane') || mx.hosts.every(({ startTls }) => startTls !== null);
}
