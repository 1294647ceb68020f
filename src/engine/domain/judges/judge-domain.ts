import type { DomainFacts } from '../facts.js';
import { type DomainFinding, SEVERITIES } from '../finding.js';
import { judgeDkim, judgeDkimTags } from './judge-dkim.js';
import { judgeRegistration } from './judge-registration.js';
import { judgeDmarc, judgeDmarcTags } from './judge-dmarc.js';
import { judgeBimi } from './judge-bimi.js';
import { judgeDane, judgeStartTls, judgeStsPolicy, judgeTransport } from './judge-transport.js';
import { judgeExistence, judgeHosts, judgeMxNames } from './judge-hosts.js';
import { judgeSpf, judgeSpfTerms } from './judge-spf.js';

type Judge = (facts: DomainFacts, now: number) => readonly DomainFinding[];

/** One look at a domain. */
export interface ExaminedDomain {
  readonly facts: DomainFacts;
  /** The worst first. */
  readonly findings: readonly DomainFinding[];
}

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

/** Of what is not there nothing else is wrong, and no record would mend it; why it is not there the registry may know. */
const JUDGES_OF_A_MISSING_DOMAIN: readonly Judge[] = [judgeExistence, judgeRegistration];

/**
 * What is wrong with what a domain publishes, the worst first. What nobody answered is no finding.
 * @param now milliseconds since the epoch, for what expires
 */
export function judgeDomain(facts: DomainFacts, now: number): readonly DomainFinding[] {
  const judges = facts.isMissing ? JUDGES_OF_A_MISSING_DOMAIN : JUDGES;
  const findings = judges.flatMap((judge) => judge(facts, now));
  return findings.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}
