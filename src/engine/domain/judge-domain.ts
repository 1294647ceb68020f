import type { DomainFacts } from './facts.js';
import type { DomainFinding, FindingSeverity } from './finding.js';
import { judgeDmarc } from './judges/judge-dmarc.js';
import { judgeHosts } from './judges/judge-hosts.js';
import { judgeDkim, judgeTransport } from './judges/judge-others.js';
import { judgeSpf } from './judges/judge-spf.js';
import { judgeStsPolicy } from './judges/judge-sts-policy.js';

const ORDER: readonly FindingSeverity[] = ['critical', 'warning', 'info'];

/** What is wrong with what a domain publishes, the worst first. What the DNS did not answer is no finding. */
export function judgeDomain(facts: DomainFacts): readonly DomainFinding[] {
  const findings = [judgeHosts, judgeSpf, judgeDkim, judgeDmarc, judgeTransport, judgeStsPolicy].flatMap((judge) =>
    judge(facts),
  );
  return findings.toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}
