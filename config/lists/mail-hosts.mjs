/** At which mail hosts domains take their mail: asked of the DNS, for `npm run lists`. */
import { randomUUID } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { getDomain } from 'tldts';

const CONCURRENCY = 100;

/** A count by a resolver that loses more answers than this would take hosts off the list that are still there. */
const MAX_UNANSWERED = 0.3;

/** Answers that are facts about the domain; all other failures are the resolver's. */
const WITHOUT_MAIL_HOSTS = ['ENOTFOUND', 'ENODATA'];

/** A resolver that knows what is there and what is not; null without the DNS, or with one that answers for names that nobody has. */
export async function workingResolver({ servers, knownDomain = 'gmail.com' } = {}) {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  const known = await mailHostsOf(knownDomain, resolver);
  const invented = await mailHostsOf(`${randomUUID()}.com`, resolver);
  return known !== null && known.length > 0 && invented?.length === 0 ? resolver : null;
}

/**
 * The mail hosts of `domains`, each with how many take their mail there at first preference; names below one registrable domain
 * count once. Null when too many questions stay without an answer.
 */
export async function countMailHosts(domains, resolver) {
  const customersAt = new Map();
  const waiting = domains[Symbol.iterator]();
  let unanswered = 0;
  const work = async () => {
    for (const domain of waiting) {
      const hosts = await mailHostsOf(domain, resolver);
      if (hosts === null) unanswered += 1;
      const customer = getDomain(domain, { allowPrivateDomains: true }) ?? domain;
      for (const host of hosts ?? []) customersAt.set(host, (customersAt.get(host) ?? new Set()).add(customer));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  if (unanswered > MAX_UNANSWERED * domains.length) return null;
  return new Map([...customersAt].map(([host, customers]) => [host, customers.size]));
}

/** The hosts of the first preference; null when the resolver does not know. */
async function mailHostsOf(domain, resolver) {
  try {
    const records = await resolver.resolveMx(domain);
    const first = Math.min(...records.map(({ priority }) => priority));
    return records.filter(({ priority }) => priority === first).map(({ exchange }) => exchange.toLowerCase());
  } catch (error) {
    return WITHOUT_MAIL_HOSTS.includes(error.code) ? [] : null;
  }
}
