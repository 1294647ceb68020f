import { judgeSpf } from '../../engine/domain/judges/judge-spf.js';
import { checkHost, MAX_SPF_LOOKUPS } from '../../mail-dns/check-host.js';
import { type DomainDns, isAbsence } from '../../mail-dns/domain-dns.js';
import { brokenNode, readSpfTree } from '../../mail-dns/spf-tree.js';
import { fail, pass, skipped, type CheckResult } from './check-result.js';

/** Warnings about a record that every receiver takes: no reason to stop a start that is checked by the doctor. */
const SOUND: ReadonlySet<string> = new Set(['spf_near_limit', 'spf_too_wide']);

const REPAIR = 'Correct the record: receivers treat it as if there were an error in every mail (RFC 7208 section 8.7).';

/**
 * @param domain of the sender, or the name that we greet with where the sender is null (RFC 7208 section 2.4)
 * @param addresses the source addresses of connections, as far as known
 */
export async function examineSpf(domain: string, addresses: readonly string[], dns: DomainDns): Promise<CheckResult> {
  if (!domain.includes('.')) return skipped('spf', `not tried: ${domain} is no domain`);
  const texts = await dns.txt(domain);
  if (texts.outcome !== 'found' && !isAbsence(texts))
    return skipped('spf', `the DNS did not answer for ${domain}: ${texts.outcome}`);
  const spf = await readSpfTree(domain, dns);
  const broken = brokenNode(spf.root);
  if (broken?.problem === 'unanswered') return skipped('spf', broken.detail!);
  const senders = await Promise.all(
    addresses.map(async (address) => {
      const { result } = await checkHost({ address, domain }, dns);
      return { address, isGiven: true, spf: result };
    }),
  );
  const record = spf.records.length === 0 ? domain : `${domain}: ${spf.records[0]!}`;
  // Who receives the domain's mail need not be who sends it.
  const findings = judgeSpf({ domain, mx: { isNull: true }, spf, senders });
  const wrong = findings.filter(({ code, severity }) => severity !== 'info' && !SOUND.has(code));
  const [first] = wrong;
  if (first !== undefined) {
    const advice =
      first.fix === null
        ? `npm run domain -- ${domain} --check spf says more${first.rfc === null ? '' : ` (${first.rfc})`}.`
        : `Publish a TXT record at ${domain} (${first.fix.why}): ${first.fix.value}`;
    return fail('spf', [record, ...wrong.map(({ explanation }) => explanation)].join('; '), advice);
  }
  const refused = senders.find(({ spf: result }) => result === 'permerror');
  if (refused !== undefined)
    return fail('spf', `${record}; receivers give up on it for ${refused.address} (permerror)`, REPAIR);
  const particulars = [
    `${spf.lookups} of ${MAX_SPF_LOOKUPS} DNS questions`,
    ...senders.map(({ address, spf: result }) => `${address} ${result}`),
  ];
  return pass('spf', `${record} (${particulars.join(', ')})`);
}
