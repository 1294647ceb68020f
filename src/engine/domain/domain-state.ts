import type { DomainFacts } from './facts.js';
import type { DomainFinding } from './finding.js';

/** How a domain is, in a word. `unknown`: the DNS did not answer for it, which is not health. */
export type DomainState = 'ok' | 'warning' | 'critical' | 'unknown';

export function stateOf(facts: DomainFacts, findings: readonly DomainFinding[]): DomainState {
  if (findings.some(({ severity }) => severity === 'critical')) return 'critical';
  if (!isAnswered(facts)) return 'unknown';
  return findings.some(({ severity }) => severity === 'warning') ? 'warning' : 'ok';
}

/** Whether the DNS has answered for the domain itself. */
export function isAnswered({ mx: { outcome } }: DomainFacts): boolean {
  return outcome === 'found' || outcome === 'nxdomain' || outcome === 'nodata';
}
