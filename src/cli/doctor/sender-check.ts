import type { Verification } from '../../engine/types.js';
import type { DoctorDns } from './doctor-dns.js';
import { fail, pass, skipped, type CheckResult } from './check-result.js';

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
