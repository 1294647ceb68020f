import { checkHost, MAX_SPF_LOOKUPS, type SpfResult } from '../../mail-dns/check-host.js';
import type { DomainDns, DnsAnswer } from '../../mail-dns/domain-dns.js';
import { brokenNode, readSpfTree, type SpfTree } from '../../mail-dns/spf-tree.js';
import type { DoctorDns, Looked } from './dns-checks.js';
import { fail, pass, skipped, type CheckResult } from './check-result.js';

/** The record's result for each of our addresses. */
type Results = ReadonlyMap<string, SpfResult>;

/**
 * @param domain of the sender, or the name that we greet with where the sender is null (RFC 7208 section 2.4)
 * @param addresses the source addresses of connections, as far as known
 */
export async function examineSpf(domain: string, addresses: readonly string[], dns: DoctorDns): Promise<CheckResult> {
  if (!domain.includes('.')) return skipped('spf', `not tried: ${domain} is no domain`);
  const texts = await dns.texts(domain);
  if (texts.outcome === 'unanswered') return skipped('spf', `the DNS did not answer for ${domain}: ${texts.why}`);
  const tree = await readSpfTree(domain, domainDns(dns));
  const record = tree.records.length === 0 ? null : `${domain}: ${tree.records[0]!}`;
  const broken = brokenWords(tree);
  if (broken !== null) {
    const advice = record === null ? `Publish a TXT record at ${domain}: ${suggested(addresses)}` : REPAIR;
    return fail('spf', [record, broken].filter((part) => part !== null).join('; '), advice);
  }
  const results: Results = new Map(
    await Promise.all(
      addresses.map(
        async (address) => [address, (await checkHost({ address, domain }, domainDns(dns))).result] as const,
      ),
    ),
  );
  const wrong = wrongOf(tree, results);
  if (wrong !== null) return fail('spf', `${record}; ${wrong.text}`, wrong.advice);
  const particulars = [
    `${tree.lookups} of ${MAX_SPF_LOOKUPS} DNS questions`,
    ...[...results].map(([address, result]) => `${address} ${result}`),
  ];
  return pass('spf', `${record} (${particulars.join(', ')})`);
}

/** The error that makes every receiver give up on the record (permerror), in a sentence; null when there is none. */
function brokenWords(tree: SpfTree): string | null {
  const broken = brokenNode(tree.root);
  if (broken !== null && broken.problem !== 'circle') return broken.detail;
  if (tree.lookups > MAX_SPF_LOOKUPS || broken !== null)
    return `it asks the DNS more than ${MAX_SPF_LOOKUPS} times (${tree.lookups}), and receivers give up`;
  return null;
}

/** The questions of SPF, asked by the doctor's resolver. */
function domainDns(dns: DoctorDns): DomainDns {
  const answer = <T, R>(looked: Looked<T>, read: (record: T, index: number) => R): DnsAnswer<R> => {
    if (looked.outcome === 'found') return { outcome: 'found', records: looked.records.map(read), ttlSeconds: 0 };
    return { outcome: looked.outcome === 'none' ? 'nodata' : 'timeout' };
  };
  const addresses = async (name: string, isWanted: (address: string) => boolean): Promise<DnsAnswer<string>> => {
    const looked = answer(await dns.addresses(name), (address) => address);
    if (looked.outcome !== 'found') return looked;
    const records = looked.records.filter(isWanted);
    return records.length > 0 ? { ...looked, records } : { outcome: 'nodata' };
  };
  return {
    txt: async (name) => answer(await dns.texts(name), (text) => text),
    a: (name) => addresses(name, (address) => !address.includes(':')),
    aaaa: (name) => addresses(name, (address) => address.includes(':')),
    mx: async (name) => answer(await dns.mailHosts(name), (exchange, preference) => ({ exchange, preference })),
    // A record that uses ptr is refused whatever the names are.
    ptr: () => Promise.resolve({ outcome: 'nodata' }),
  };
}

const REPAIR = 'Correct the record: receivers treat it as if there were an error in every mail (RFC 7208 section 8.7).';

/** An error of the DNS says nothing about the record. */
const ALLOWED: readonly SpfResult[] = ['pass', 'temperror'];

function wrongOf({ all, usesPtr }: SpfTree, results: Results): { text: string; advice: string } | null {
  const refused = [...results.keys()].find((address) => !ALLOWED.includes(results.get(address)!));
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
