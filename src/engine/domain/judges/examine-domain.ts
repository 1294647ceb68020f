import { boundedDns, gatherFacts, readOnce } from '../gather-facts.js';
import type { FactDns, FactsQuery, FactsOutside } from '../facts.js';
import { type ExaminedDomain, judgeDomain } from './judge-domain.js';
import { judgeFixes, publishedDns, publishedOutside } from './judge-fixes.js';

interface Circumstances {
  /** Milliseconds since the epoch, for what expires. */
  readonly now: number;
  /** Keeps when the time of the check is over; left out: nobody bounds it. */
  readonly over?: Promise<unknown>;
}

const NEVER = new Promise<never>(() => {});

/**
 * One look at what a domain publishes: facts, findings, and fixes that were judged. Each question is asked and each record read once, so
 * that judging a fix asks only for names, and reads only records, that are new with it.
 */
export async function examineDomain(
  asked: FactsQuery,
  dns: FactDns,
  outside: FactsOutside | null,
  { now, over = NEVER }: Circumstances,
): Promise<ExaminedDomain> {
  let isOver = false;
  void over.then(() => (isOver = true));
  const known = boundedDns(dns, over);
  const others = outside && memoized(outside);
  const read = readOnce();
  const examined = async (through: FactDns, beside: FactsOutside | null): Promise<ExaminedDomain> => {
    const facts = await gatherFacts(asked, through, beside, read);
    return { facts, findings: judgeDomain(facts, now) };
  };
  const before = await examined(known, others);
  const findings = await judgeFixes(before, {
    isOver: () => isOver,
    aliasAt: async ({ name }) => (await known.cname(name.replace(/\.$/, ''))).outcome,
    after: (fix) => examined(publishedDns(known, fix), others && publishedOutside(others, fix)),
  });
  return { facts: before.facts, findings };
}

function memoized(outside: FactsOutside): FactsOutside {
  const answers = new Map<string, Promise<unknown>>();
  const once = <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    const answer = (answers.get(key) as Promise<T> | undefined) ?? ask();
    answers.set(key, answer);
    return answer;
  };
  return {
    stsPolicy: (domain) => once('policy', () => outside.stsPolicy(domain)),
    startTls: (host, addresses) => once(`host ${host}`, () => outside.startTls(host, addresses)),
    registration: (domain) => once('registration', () => outside.registration(domain)),
    logo: (url) => once(`logo ${url}`, () => outside.logo(url)),
    markCertificate: (url) => once(`certificate ${url}`, () => outside.markCertificate(url)),
  };
}
