import type { DomainFacts } from './facts.js';
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
  if (facts.unanswered.some((one) => one.isOpen && isWanted(one))) return 'unknown';
  const isAnyAnswered = [...answeredAreas(facts)].some((area) => isWanted({ area }));
  if (own.length === 0 && !isAnyAnswered) return 'unknown';
  return has('warning') ? 'warning' : 'ok';
}

/** Whether the DNS has answered for the domain itself. */
export function isAnswered({ mx: { outcome } }: Pick<DomainFacts, 'mx'>): boolean {
  return outcome === 'found' || outcome === 'nxdomain' || outcome === 'nodata';
}

/** All that is known of a domain that does not exist. */
const OF_A_MISSING_DOMAIN: readonly FindingArea[] = ['mx', 'registration'];

/** Areas whose questions come of another one's answers: while that one is silent, they were not all asked. */
const ASKED_BEHIND: Partial<Readonly<Record<FindingArea, FindingArea>>> = {
  reverse: 'spf',
  mta_sts: 'mx',
  tls_rpt: 'mx',
  starttls: 'mx',
  dane: 'mx',
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
    FINDING_AREAS.filter((area) => !silent.has(area) && !silent.has(ASKED_BEHIND[area]) && isAsked(area, facts)),
  );
}

/** Findings that silence may hide although all else of their area was answered. */
export function hiddenCodes({ unanswered }: DomainFacts): ReadonlySet<FindingCode> {
  return new Set(unanswered.flatMap(({ hides }) => hides ?? []));
}

function isAsked(area: FindingArea, { isMissing, mx, dmarc, dnssec, registration }: DomainFacts): boolean {
  if (isMissing && !OF_A_MISSING_DOMAIN.includes(area)) return false;
  if (area === 'dnssec') return dnssec !== 'unknown';
  if (area === 'registration') return registration !== null;
  // Receivers look at a logo only behind a policy.
  if (area === 'bimi') return dmarc.isAnswered;
  return (area !== 'starttls' && area !== 'dane') || mx.hosts.every(({ startTls }) => startTls !== null);
}
