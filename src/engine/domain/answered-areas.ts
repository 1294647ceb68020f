import type { DomainFacts } from './facts.js';
import { FINDING_AREAS, type FindingArea } from './finding.js';

/** All that is known of a domain that does not exist. */
const OF_A_MISSING_DOMAIN: readonly FindingArea[] = ['mx', 'registration'];

/** The areas of which everything was asked and answered: what is not found wrong there is not wrong. Of the others silence may hide it. */
export function answeredAreas(facts: DomainFacts): ReadonlySet<FindingArea> {
  const silent = new Set(facts.unanswered.map(({ area }) => area));
  return new Set(FINDING_AREAS.filter((area) => !silent.has(area) && isAsked(area, facts)));
}

function isAsked(area: FindingArea, { isMissing, mx, dnssec, registration }: DomainFacts): boolean {
  if (isMissing && !OF_A_MISSING_DOMAIN.includes(area)) return false;
  if (area === 'dnssec') return dnssec !== 'unknown';
  if (area === 'registration') return registration !== null;
  return (area !== 'starttls' && area !== 'dane') || mx.hosts.every(({ startTls }) => startTls !== null);
}
