import type { DomainFacts } from './facts.js';
import type { DomainFinding, FindingSeverity } from './finding.js';
import { judgeDkimTags } from './judges/judge-dkim-tags.js';
import { judgeDmarc } from './judges/judge-dmarc.js';
import { judgeDmarcTags } from './judges/judge-dmarc-tags.js';
import { judgeBimi } from './judges/judge-bimi.js';
import { judgeDane } from './judges/judge-dane.js';
import { judgeHosts } from './judges/judge-hosts.js';
import { judgeMxNames } from './judges/judge-mx-names.js';
import { judgeDkim, judgeTransport } from './judges/judge-others.js';
import { judgeRegistration } from './judges/judge-registration.js';
import { judgeSpf } from './judges/judge-spf.js';
import { judgeSpfTerms } from './judges/judge-spf-terms.js';
import { judgeStartTls } from './judges/judge-starttls.js';
import { judgeStsPolicy } from './judges/judge-sts-policy.js';

const ORDER: readonly FindingSeverity[] = ['critical', 'warning', 'info'];

type Judge = (facts: DomainFacts, now: number) => readonly DomainFinding[];

const JUDGES: readonly Judge[] = [
  judgeHosts,
  judgeMxNames,
  judgeSpf,
  judgeSpfTerms,
  judgeDkim,
  judgeDkimTags,
  judgeDmarc,
  judgeDmarcTags,
  judgeTransport,
  judgeStsPolicy,
  judgeStartTls,
  judgeDane,
  judgeRegistration,
  judgeBimi,
];

/**
 * What is wrong with what a domain publishes, the worst first. What nobody answered is no finding.
 * @param now milliseconds since the epoch, for what expires
 */
export function judgeDomain(facts: DomainFacts, now: number): readonly DomainFinding[] {
  const findings = JUDGES.flatMap((judge) => judge(facts, now));
  return findings.toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}
