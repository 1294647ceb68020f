import { isAnswered } from './domain-state.js';
import type { DomainFacts } from './facts.js';
import { FINDING_AREAS, type FindingArea } from './finding.js';
import type { SpfNode } from './spf/spf-tree.js';
import { stsPolicyUrl } from './sts-policy.js';

/** The areas of which everything was answered: what is not found wrong there is not wrong. Of the others silence may hide it. */
export function answeredAreas(facts: DomainFacts): ReadonlySet<FindingArea> {
  return new Set(FINDING_AREAS.filter((area) => ANSWERED[area](facts)));
}

const ANSWERED: Readonly<Record<FindingArea, (facts: DomainFacts) => boolean>> = {
  mx: (facts) => isAnswered(facts) && facts.mx.hosts.every((host) => host.isAnswered),
  reverse: ({ spf, senders }) => isWhole(spf.root) && senders.every((sender) => sender.isAnswered),
  spf: ({ spf }) => isWhole(spf.root),
  dkim: ({ domain, unanswered }) => !unanswered.some((name) => name.endsWith(`._domainkey.${domain}`)),
  dmarc: ({ dmarc, unanswered }) => dmarc.isAnswered && !unanswered.some((name) => name.includes('._report._dmarc.')),
  mta_sts: (facts) =>
    isAnswered(facts) &&
    !isUnanswered(facts, `_mta-sts.${facts.domain}`) &&
    !isUnanswered(facts, stsPolicyUrl(facts.domain)),
  tls_rpt: (facts) => isAnswered(facts) && !isUnanswered(facts, `_smtp._tls.${facts.domain}`),
  dane: (facts) => isAnswered(facts) && facts.mx.hosts.every(({ tlsa }) => tlsa !== null) && isEncryptionKnown(facts),
  dnssec: ({ dnssec }) => dnssec !== 'unknown',
  starttls: (facts) => isAnswered(facts) && isEncryptionKnown(facts),
  registration: ({ registration }) => registration?.outcome === 'found',
  bimi: ({ bimi, unanswered }) =>
    bimi === null
      ? !unanswered.some((name) => name.startsWith('default._bimi.'))
      : bimi.logo?.outcome !== 'unknown' && bimi.certificate?.outcome !== 'unknown',
};

function isEncryptionKnown({ mx }: DomainFacts): boolean {
  return mx.hosts.every(({ startTls }) => startTls !== null && startTls.outcome !== 'unknown');
}

function isWhole({ problem, children }: SpfNode): boolean {
  return problem !== 'unanswered' && children.every(isWhole);
}

function isUnanswered({ unanswered }: DomainFacts, name: string): boolean {
  return unanswered.includes(name);
}
