import type { DoctorDns } from './doctor-dns.js';
import { fail, pass, skipped, type CheckResult } from './check-result.js';
import { walkSpf, type SpfWalk } from './spf-walk.js';

/**
 * @param domain of the sender, or the name that we greet with where the sender is null (RFC 7208 section 2.4)
 * @param addresses the source addresses of connections, as far as known
 */
export async function examineSpf(domain: string, addresses: readonly string[], dns: DoctorDns): Promise<CheckResult> {
  if (!domain.includes('.')) return skipped('spf', `not tried: ${domain} is no domain`);
  const texts = await dns.texts(domain);
  if (texts.outcome === 'unanswered') return skipped('spf', `the DNS did not answer for ${domain}: ${texts.why}`);
  const walk = await walkSpf(domain, addresses, dns);
  const record = walk.record === null ? '' : `${domain}: ${walk.record}`;
  if (walk.broken !== null) {
    const advice = walk.record === null ? `Publish a TXT record at ${domain}: ${suggested(addresses)}` : REPAIR;
    return fail('spf', [record, walk.broken].filter((part) => part !== '').join('; '), advice);
  }
  const wrong = wrongOf(walk, addresses);
  if (wrong !== null) return fail('spf', `${record}; ${wrong.text}`, wrong.advice);
  const particulars = [
    `${walk.lookups} of 10 DNS questions`,
    ...addresses.map((one) => `${one} ${walk.results.get(one)}`),
  ];
  return pass('spf', `${record} (${particulars.join(', ')})`);
}

const REPAIR = 'Correct the record: receivers treat it as if there were an error in every mail (RFC 7208 section 8.7).';

function wrongOf(walk: SpfWalk, addresses: readonly string[]): { text: string; advice: string } | null {
  const { all, results, usesPtr } = walk;
  const refused = addresses.find((address) => results.get(address) !== 'pass' && results.get(address) !== 'unsaid');
  if (all === '+') return { text: 'it lets everybody send', advice: 'End it with -all or ~all.' };
  if (refused !== undefined) {
    const text = `it does not let ${refused} send (${results.get(refused)})`;
    return { text, advice: `Add ${mechanismOf(refused)} to it.` };
  }
  if (all === null || all === '?') {
    return { text: 'it says nothing about everybody else', advice: 'End it with -all or ~all.' };
  }
  if (usesPtr)
    return { text: 'it uses ptr', advice: 'Name addresses instead: RFC 7208 section 5.5 says not to use ptr.' };
  return null;
}

function suggested(addresses: readonly string[]): string {
  const ours = addresses.length > 0 ? addresses.map(mechanismOf) : ['ip4:<the address of this machine>'];
  return `v=spf1 ${ours.join(' ')} -all`;
}

function mechanismOf(address: string): string {
  return `${address.includes(':') ? 'ip6' : 'ip4'}:${address}`;
}
