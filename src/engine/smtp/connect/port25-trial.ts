import type { HostAddress } from '../../../mail-dns/host-addresses.js';
import type { MailHosts } from '../../../mail-dns/mail-hosts.js';
import type { MailHost } from '../../../mail-dns/mx-set.js';
import { type Dialer, type EgressSource, WireError } from '../../ports.js';
import { type CancelSignal, type Permit } from '../../../lib/semaphore.js';
import { type Clock } from '../../../lib/clock.js';
import { AbortFlag } from './permit-waits.js';
import { networkOfAddress } from './source.js';
import type { Port25Trial } from './port25.js';
import { SmtpConnection } from './smtp-connection.js';

export interface TrialContext {
  readonly mailHosts: MailHosts;
  readonly dialer: Dialer;
  readonly clock: Clock;
  /** Port of the mail hosts. */
  readonly smtpPort: number;
  /** Domains whose mail hosts are asked: of the operator's choosing, never of a caller's. */
  readonly domains: readonly string[];
  /** Leave to connect to a domain's mail hosts; rejects where nobody may. Left out: anybody may at once. */
  readonly permit?: (
    domain: string,
    hosts: readonly MailHost[],
    source: string,
    signal: CancelSignal,
  ) => Promise<Permit>;
}

const MAX_DOMAINS = 5;
/** Of an only domain, whose other hosts may stand in other networks. */
const MAX_HOSTS = 4;
/** One host may be silent, or refuse, for a reason of its own; the hosts of two networks do not at once. */
const NETWORKS_TO_CONCLUDE = 2;
/** A SYN that was lost is sent again after 1 and 3 s (RFC 6298). */
const CONNECT_MS = 4_000;
const PERMIT_MS = 5_000;
const GREETING_MS = 5_000;

/** What knocking at one mail host came to: an answer, the network that gave none, or null when it could not be asked. */
type Knocked = 'answered' | { readonly silent: string } | null;

/**
 * Tries from one of our own addresses whether mail hosts that we have chosen answer. The first one mostly does, and then nobody else is asked.
 * A refusal is no answer here: a firewall refuses for every host, and hosts that greet us at all times do not. Nobody is named there: it
 * greets, and we say goodbye. Never rejects.
 */
export async function tryPort25(source: EgressSource, context: TrialContext): Promise<Port25Trial> {
  const [first, ...others] = context.domains.slice(0, MAX_DOMAINS);
  if (first === undefined) return 'unclear';
  const knocked = await ask(first, source, context);
  if (!knocked.includes('answered'))
    knocked.push(...(await Promise.all(others.map((domain) => ask(domain, source, context)))).flat());
  if (knocked.includes('answered')) return 'answered';
  const silent = new Set(knocked.flatMap((one) => (one === null || one === 'answered' ? [] : [one.silent])));
  return silent.size >= NETWORKS_TO_CONCLUDE ? 'silent' : 'unclear';
}

async function ask(domain: string, source: EgressSource, context: TrialContext): Promise<Knocked[]> {
  const { mailHosts, clock, domains } = context;
  const fact = await mailHosts.find(domain, null);
  if (fact.outcome !== 'hosts') return [];
  const hosts = fact.hosts.slice(0, domains.length === 1 ? MAX_HOSTS : 1);
  const addresses = await Promise.all(hosts.map(({ name }) => addressesOf(name, source, mailHosts)));
  const isLate = new AbortFlag();
  const cancelTimer = clock.after(PERMIT_MS, () => isLate.abort(new Error('no permit in time')));
  try {
    const permit = await context.permit?.(domain, fact.hosts, source.name, isLate);
    try {
      const [first = [], ...others] = addresses;
      const knocked = [await knock(first, source, context)];
      if (knocked[0] !== 'answered')
        knocked.push(...(await Promise.all(others.map((one) => knock(one, source, context)))));
      return knocked;
    } finally {
      permit?.release();
    }
  } catch {
    return [];
  } finally {
    cancelTimer();
  }
}

/** One of each family: a machine may have a way to one of them only. */
async function addressesOf(host: string, source: EgressSource, mailHosts: MailHosts): Promise<readonly string[]> {
  const known = await mailHosts.addresses(host, null);
  const listed = known.outcome === 'addresses' ? known.addresses : [];
  const both = [...listed, ...(await mailHosts.ipv6Addresses(host, null))];
  const ofFamily = (wanted: HostAddress['family']) => both.find(({ family }) => family === wanted)?.address;
  const own = source.address === null ? null : source.address.includes(':') ? 6 : 4;
  return [own === 6 ? undefined : ofFamily(4), own === 4 ? undefined : ofFamily(6)].filter((one) => one !== undefined);
}

async function knock(
  addresses: readonly string[],
  source: EgressSource,
  { dialer, clock, smtpPort }: TrialContext,
): Promise<Knocked> {
  for (const address of addresses) {
    try {
      const wire = await dialer.connect({ address, port: smtpPort, timeoutMs: CONNECT_MS, source });
      const connection = new SmtpConnection(wire, clock, () => {});
      await connection.exchange('', 1, GREETING_MS);
      await connection.close('QUIT\r\n');
      return 'answered';
    } catch (error) {
      const kind = error instanceof WireError ? error.kind : 'unreachable';
      if (kind === 'source') return null;
      if (kind !== 'timeout' && kind !== 'unreachable' && kind !== 'refused') return 'answered';
    }
  }
  return addresses.length === 0 ? null : { silent: networkOfAddress(addresses[0]!) };
}
