import type { DoctorDns } from './doctor-dns.js';
import { fail, pass, skipped, type CheckResult } from './check-result.js';

export interface HeloExamination {
  readonly finding: CheckResult;
  /** Addresses on which the name and the DNS agree; they count as ours unless the caller gives others. */
  readonly addresses: readonly string[];
}

/**
 * Forward-confirmed reverse DNS: the name leads to addresses, and each of them back to the name. Many mail hosts refuse
 * a client without it (`4.7.25`, `5.7.25`).
 * @param outgoing the address that we are known to connect from; null when it is not known
 */
export async function examineHelo(
  heloName: string,
  isConfigured: boolean,
  outgoing: string | null,
  dns: DoctorDns,
): Promise<HeloExamination> {
  const name = heloName.toLowerCase();
  const of = (finding: CheckResult, addresses: readonly string[] = []): HeloExamination => ({ finding, addresses });
  if (!name.includes('.')) {
    const text = `${heloName} is ${isConfigured ? '' : 'this machine’s own name (HELO_NAME is not set) and '}no full host name`;
    return of(fail('helo', text, 'Set HELO_NAME to a name in a domain of yours, such as probe.example.com.'));
  }
  const forward = await dns.addresses(name);
  if (forward.outcome === 'unanswered')
    return of(skipped('helo', `the DNS did not answer for ${name}: ${forward.why}`));
  if (forward.outcome === 'none') {
    const advice = `Publish an A record for ${name} with this machine’s public address.`;
    return of(fail('helo', `${name} has no address in the DNS`, advice));
  }
  const back = await Promise.all(
    forward.records.map(async (address) => ({ address, names: await dns.names(address) })),
  );
  const confirmed = back.filter(({ names }) => names.outcome === 'found' && names.records.includes(name));
  const addresses = confirmed.map(({ address }) => address);
  const lost = back.find(({ address }) => !addresses.includes(address));
  if (lost !== undefined && lost.names.outcome === 'unanswered')
    return of(skipped('helo', `the DNS did not answer for the names of ${lost.address}: ${lost.names.why}`), addresses);
  if (lost !== undefined) {
    const leads = lost.names.outcome === 'found' ? lost.names.records.join(', ') : 'no name';
    const advice = `Have whoever gave you ${lost.address} set its PTR record to ${name}.`;
    return of(fail('helo', `${name} → ${lost.address} → ${leads}`, advice), addresses);
  }
  if (outgoing !== null && !addresses.includes(outgoing)) {
    const advice = `Publish ${outgoing} as an address of ${name}, or connect from ${addresses.join(' or ')}.`;
    return of(fail('helo', `${name} is ${addresses.join(', ')}, but connections leave from ${outgoing}`, advice));
  }
  return of(pass('helo', `${name} → ${addresses.join(', ')} → ${name}`), addresses);
}
