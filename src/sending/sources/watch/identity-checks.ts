import { reversed } from '../../../mail-dns/targets.js';
import { isPublicAddress } from '../../../mail-dns/public-address.js';
import { type DomainDns, isAbsence, recordsOf, reverseName, type DnsAnswer } from '../../../mail-dns/domain-dns.js';
import { checkHost } from '../../../mail-dns/check-host.js';

/** What mail hosts look at before they trust a stranger. */
export const CHECK_NAMES = ['helo', 'reverse_name', 'spf', 'port_25', 'block_lists'] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export interface Finding {
  readonly check: CheckName;
  /** `unknown`: nobody answered, or there was nothing to look at. */
  readonly state: 'pass' | 'fail' | 'unknown';
  readonly told: string;
}

/** As a source introduces itself. */
export interface Identity {
  readonly helo: string;
  /** Empty for the null sender. */
  readonly mailFrom: string;
  /** Null: the system or a proxy chooses. */
  readonly address: string | null;
}

/** Addresses of one HELO name that are looked at. */
const MAX_ADDRESSES = 8;
const MAX_NAMES = 5;

/**
 * The addresses that mail hosts see: the source's own, or behind a proxy or address translation those that its HELO name leads to, since
 * our own end of a connection says nothing there.
 */
export function seenAddresses({ address }: Identity, forward: readonly string[]): readonly string[] {
  const own = address !== null && isPublicAddress(address) ? [address] : forward;
  return own.filter((one) => isPublicAddress(one)).slice(0, MAX_ADDRESSES);
}

/** Whether the HELO name leads to the addresses, these back to names that lead to them, and whether SPF lets them send. */
export async function checkIdentity(
  identity: Identity,
  dns: DomainDns,
): Promise<{ readonly addresses: readonly string[]; readonly findings: readonly Finding[] }> {
  const name = identity.helo.toLowerCase();
  const answers = await Promise.all([dns.a(name), dns.aaaa(name)]);
  const forward = answers.flatMap(recordsOf);
  const addresses = seenAddresses(identity, forward);
  const helo = heloFinding(name, addresses, forward, answers);
  if (addresses.length === 0) {
    const told = 'no public address of ours is known';
    const unknown = (['reverse_name', 'spf'] as const).map((check): Finding => ({ check, state: 'unknown', told }));
    return { addresses, findings: [helo, ...unknown] };
  }
  const reverse = await Promise.all(addresses.map((address) => reverseFinding(address, dns)));
  const spf = await Promise.all(addresses.map((address) => spfFinding(identity, address, dns)));
  return { addresses, findings: [helo, worst('reverse_name', reverse), worst('spf', spf)] };
}

type State = Pick<Finding, 'state' | 'told'>;

function heloFinding(
  name: string,
  addresses: readonly string[],
  forward: readonly string[],
  answers: readonly DnsAnswer<string>[],
): Finding {
  if (forward.length === 0) {
    const isAbsent = name === '' || answers.every(isAbsence);
    const told = isAbsent ? `${name} has no address in the DNS` : `the DNS did not answer for ${name}`;
    return { check: 'helo', state: isAbsent ? 'fail' : 'unknown', told };
  }
  const missing = addresses.find((address) => !forward.some((one) => isSame(one, address)));
  if (missing !== undefined)
    return { check: 'helo', state: 'fail', told: `${name} leads to ${forward.join(', ')}, not to ${missing}` };
  if (addresses.length === 0)
    return { check: 'helo', state: 'fail', told: `${name} leads to ${forward.join(', ')}, which is not public` };
  return { check: 'helo', state: 'pass', told: `${name} leads to ${addresses.join(', ')}` };
}

/** Forward-confirmed: a name of the address leads back to it. Many mail hosts refuse a client without (4.7.25, 5.7.25). */
async function reverseFinding(address: string, dns: DomainDns): Promise<State> {
  const answer = await dns.ptr(reverseName(address, reversed(address)));
  if (isAbsence(answer)) return { state: 'fail', told: `${address} has no reverse name` };
  if (answer.outcome !== 'found') return { state: 'unknown', told: `the DNS did not answer for ${address}` };
  const names = answer.records.slice(0, MAX_NAMES);
  const back = await Promise.all(names.map((name) => (address.includes(':') ? dns.aaaa(name) : dns.a(name))));
  const confirmed = names.find((_, i) => recordsOf(back[i]!).some((one) => isSame(one, address)));
  if (confirmed !== undefined) return { state: 'pass', told: `${address} is ${confirmed}, which leads back to it` };
  const isSilent = back.some((one) => one.outcome !== 'found' && !isAbsence(one));
  const told = `${address} is ${names.join(', ')}, which ${isSilent ? 'got no answer' : 'does not lead back to it'}`;
  return { state: isSilent ? 'unknown' : 'fail', told };
}

async function spfFinding({ helo, mailFrom }: Identity, address: string, dns: DomainDns): Promise<State> {
  // The null sender is judged by the HELO name (RFC 7208 section 2.4).
  const domain = (mailFrom === '' ? helo : mailFrom.slice(mailFrom.lastIndexOf('@') + 1)).toLowerCase();
  const question = { address, domain, helo, ...(mailFrom !== '' && { sender: mailFrom }) };
  const { result, term, problem } = await checkHost(question, dns);
  if (result === 'pass')
    return { state: 'pass', told: `${domain} lets ${address} send${term === null ? '' : ` (${term})`}` };
  if (result === 'temperror')
    return { state: 'unknown', told: `the DNS did not answer for the SPF record of ${domain}` };
  if (result === 'none') return { state: 'fail', told: `${domain} has no SPF record` };
  return { state: 'fail', told: problem ?? `${domain} does not let ${address} send (${result})` };
}

const ORDER: readonly Finding['state'][] = ['fail', 'unknown', 'pass'];

function worst(check: CheckName, states: readonly State[]): Finding {
  const state = ORDER.find((one) => states.some((other) => other.state === one))!;
  const told = states.filter((one) => one.state === state).map((one) => one.told);
  return { check, state, told: told.join('; ') };
}

/** IPv6 addresses have several forms. */
function isSame(one: string, other: string): boolean {
  return one === other || (one.includes(':') && other.includes(':') && reversed(one) === reversed(other));
}
