import { type CheckResult, fail, pass, skipped } from './check-result.js';
import type { DoctorDns } from './dns-checks.js';
import type { EgressSource } from '../../engine/ports.js';
import type { Verification } from '../../engine/types.js';
import { queryBlockLists } from '../../sending/sources/watch/block-lists.js';
import { checkIdentity, type CheckName } from '../../sending/sources/watch/identity-checks.js';
import type { Outside } from '../../sending/sources/watch/outside.js';

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

/** Bounces and complaints must land somewhere: a sender whose domain takes no mail is refused by many hosts. */
export async function examineBounces(domain: string, dns: DoctorDns): Promise<CheckResult> {
  const hosts = await dns.mailHosts(domain);
  if (hosts.outcome === 'unanswered') return skipped('bounces', `the DNS did not answer for ${domain}: ${hosts.why}`);
  const publish = `Publish an MX record for ${domain} that names a mail host of yours.`;
  if (hosts.outcome === 'none') {
    const own = await dns.addresses(domain);
    if (own.outcome === 'unanswered') return skipped('bounces', `the DNS did not answer for ${domain}: ${own.why}`);
    if (own.outcome === 'none') return fail('bounces', `${domain} has neither mail hosts nor an address`, publish);
    return pass('bounces', `${domain} has no MX record; its own address takes its mail (RFC 5321 section 5.1)`);
  }
  if (hosts.records.includes('')) return fail('bounces', `${domain} says that it takes no mail (null MX)`, publish);
  for (const host of hosts.records) {
    const { outcome } = await dns.addresses(host);
    if (outcome === 'found') return pass('bounces', `mail to ${domain} goes to ${host}`);
  }
  return fail('bounces', `${domain}: none of ${hosts.records.join(', ')} has an address`, publish);
}

/**
 * Whether the sender and postmaster exist (RFC 5321 section 4.5.1), asked at the domain's own mail host.
 * @param verify null: the caller did not allow the connection
 */
export async function examineMailboxes(
  mailFrom: string,
  verify: ((address: string) => Promise<Verification>) | null,
): Promise<CheckResult> {
  const mailboxes = [mailFrom, `postmaster@${domainOf(mailFrom)}`];
  if (verify === null) {
    const advice = '--ask-own-host asks the mail host of MAIL_FROM about them.';
    return skipped('mailboxes', `not tried: whether ${mailboxes.join(' and ')} take mail`, advice);
  }
  for (const mailbox of mailboxes) {
    const { verdict, reason, checks, evidence } = await verify(mailbox);
    const said = evidence.text === null ? reason : `${reason}: ${[evidence.code, evidence.text].join(' ').trim()}`;
    if (verdict === 'invalid') {
      const advice = 'Create the mailbox; many hosts look whether the sender exists, and complaints go to postmaster.';
      return fail('mailboxes', `${mailbox} takes no mail (${said})`, advice);
    }
    if (checks.smtp !== 'pass') return skipped('mailboxes', `${mailbox}: could not be told (${said})`);
  }
  return pass('mailboxes', `${mailboxes.join(' and ')} take mail`);
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

const SHOWN = {
  helo: 'HELO name',
  reverse_name: 'reverse name',
  spf: 'SPF',
  port_25: 'port 25',
  block_lists: 'block lists',
} satisfies Record<CheckName, string>;
const ADVICE = 'docs/egress.md has the records that each source needs.';

/** Looks at the sources of `EGRESS_FILE` as a worker does each quarter of an hour. */
export async function examineSources(sources: readonly EgressSource[], outside: Outside): Promise<CheckResult[]> {
  const examined = await Promise.all(sources.map((source) => examineSource(source, outside)));
  return examined.flat();
}

async function examineSource(source: EgressSource, outside: Outside): Promise<CheckResult[]> {
  const { addresses, findings } = await checkIdentity(source, outside.dns);
  const ofNames = findings.map(({ check, state, told }) => {
    const text = `${source.name}, ${SHOWN[check]}: ${told}`;
    if (state === 'pass') return pass('source', text);
    return state === 'fail' ? fail('source', text, ADVICE) : skipped('source', text);
  });
  return [...ofNames, await examineBlockLists(addresses, outside, source.name)];
}

/** Whether a block list has one of our addresses; lists whose test points are not right say nothing (RFC 5782 section 5). */
export async function examineBlockLists(
  addresses: readonly string[],
  { dns, lists }: Outside,
  source: string | null = null,
): Promise<CheckResult> {
  const of = (text: string) => (source === null ? text : `${source}: ${text}`);
  if (addresses.length === 0) return skipped('block_lists', of('no public address of ours is known'));
  const { listings, answered, silent } = await queryBlockLists(addresses, lists, dns);
  const found = listings.map(({ list, address, told }) => `${address} is on ${list} (${told})`);
  if (found.length > 0)
    return fail(
      'block_lists',
      of(found.join('; ')),
      'Find out what was sent from the address, then ask the list to take it off.',
    );
  const unheard = silent.length === 0 ? '' : `; no usable answer of ${silent.join(', ')}`;
  if (answered.length === 0)
    return skipped('block_lists', of(`no list could be asked${unheard}`), 'Set DNS_SERVERS to a resolver of your own.');
  return pass('block_lists', of(`${answered.join(', ')} do not have ${addresses.join(', ')}${unheard}`));
}
