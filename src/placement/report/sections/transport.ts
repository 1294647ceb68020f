import { reversed } from '../../../mail-dns/targets.js';
import type { ReportDns } from '../report-dns.js';
import type { ReportEnvelope } from './authentication.js';

export interface TransportSection {
  readonly client_address: string;
  /** Of the PTR record; null: there is none, or the DNS did not say. */
  readonly reverse_name: string | null;
  /** Whether that name leads back to the address; null: there is none, or the DNS did not say. */
  readonly forward_confirmed: boolean | null;
  /** False: the DNS did not answer for the reverse name, so nothing is said of it. */
  readonly reverse_answered: boolean;
  readonly helo: string | null;
  readonly mail_from: string | null;
  /** The version of TLS, or `none`; null: not known. */
  readonly tls: string | null;
}

const MAX_NAMES = 5;

/** How the message came; null where nobody has said from whom. */
export async function transportSection(envelope: ReportEnvelope, dns: ReportDns): Promise<TransportSection | null> {
  const { clientAddress, clientName, mailFrom, tls } = envelope;
  if (clientAddress === null) return null;
  const isV6 = clientAddress.includes(':');
  const answer = await dns.ptr(`${reversed(clientAddress)}.${isV6 ? 'ip6' : 'in-addr'}.arpa`);
  const names = answer.outcome === 'found' ? answer.records.slice(0, MAX_NAMES) : [];
  const forwards = await Promise.all(names.map((name) => (isV6 ? dns.aaaa(name) : dns.a(name))));
  const confirmed = names.find((_, index) => {
    const forward = forwards[index]!;
    return forward.outcome === 'found' && forward.records.some((address) => isSame(address, clientAddress));
  });
  const isUnsaid = forwards.some(({ outcome }) => outcome === 'timeout' || outcome === 'servfail');
  return {
    client_address: clientAddress,
    reverse_name: confirmed ?? names[0] ?? null,
    forward_confirmed: names.length === 0 ? null : confirmed !== undefined ? true : isUnsaid ? null : false,
    reverse_answered: answer.outcome !== 'timeout' && answer.outcome !== 'servfail',
    helo: clientName,
    mail_from: mailFrom,
    tls,
  };
}

function isSame(one: string, other: string): boolean {
  return one === other || (one.includes(':') && reversed(one) === reversed(other));
}
