import { answeredAreas } from './answered-areas.js';
import type { DomainFacts } from './facts.js';
import type { DomainFinding, FindingArea } from './finding.js';

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
