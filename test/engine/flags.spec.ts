import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { budgetMs, mailboxes, recipients, verdictAndReason, verifyAll } from '../support/mail-scripts.js';
import { startMailWorld, type MailWorldOptions } from '../support/mail-world.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const lists = {
  disposable: 'throwaway.com\n',
  free: 'freemail.com\n',
  role: 'info\nsupport*\n',
  privacyRelays: 'relay.com\n',
  spamTraps: `trap.com\n${sha256('caught@example.com')}\n`,
};
const zones = Object.fromEntries(
  ['throwaway.com', 'freemail.com', 'relay.com', 'trap.com', 'gmial.com'].map((domain) => [
    domain,
    { MX: [[10, 'mx.example.com']] },
  ]),
) as never;

async function world() {
  const known = mailboxes('jane', 'info', 'support-de', 'caught');
  return startMailWorld({ lists, zones, smtp: { onLine: known } });
}

describe('what the lists say', () => {
  it.each([
    ['jane@throwaway.com', 'risky disposable', 'disposable'],
    ['jane@freemail.com', 'valid mailbox_exists', 'free'],
    ['info@example.com', 'risky role_account', 'role'],
    ['support-de@example.com', 'risky role_account', 'role'],
    ['jane@relay.com', 'valid mailbox_exists', 'privacyRelay'],
    ['jane@trap.com', 'risky spam_trap', 'spamTrap'],
    ['caught@example.com', 'risky spam_trap', 'spamTrap'],
  ] as const)('%s is %s', async (email, verdict, flag) => {
    const { engine } = await world();
    const { checks, ...verification } = await engine.verify(email, { budgetMs });
    expect(verdictAndReason({ checks, ...verification })).toBe(verdict);
    const none = { disposable: false, role: false, free: false, spamTrap: false, privacyRelay: false };
    expect(checks).toEqual({ syntax: 'pass', mx: 'pass', smtp: 'pass', catchAll: 'no', ...none, [flag]: true });
    expect(verification.evidence.code).toBe(250);
  });

  it('what the lists say never makes an address invalid, and does not save one that is', async () => {
    const { engine } = await world();
    for (const domain of ['throwaway.com', 'trap.com', 'relay.com', 'freemail.com']) {
      expect(verdictAndReason(await engine.verify(`nobody@${domain}`, { budgetMs }))).toBe('invalid mailbox_not_found');
    }
  });

  it('what the lists say is asked of the mail host all the same', async () => {
    const { engine, smtp } = await world();
    await engine.verify('jane@throwaway.com', { budgetMs });
    expect(smtp.recipients[0]).toBe('jane@throwaway.com');
  });

  it('what the lists say holds for an address whose host does not answer', async () => {
    const { engine } = await startMailWorld({ lists, zones, smtp: null });
    const disposable = await engine.verify('jane@throwaway.com', { budgetMs });
    expect(verdictAndReason(disposable)).toBe('risky disposable');
    expect(disposable).toMatchObject({ score: 20, retryAfterSeconds: null, checks: { smtp: 'unknown' } });
  });

  it.each<[string, string, MailWorldOptions]>([
    ['is unreachable', 'smtp_unreachable', { smtp: null }],
    ['is nowhere to be found, because the DNS fails', 'dns_error', { zones: { 'example.com': 'servfail' } }],
    ['greylists', 'greylisted', { smtp: recipients(() => '450 4.2.0 Greylisted') }],
    ['blocks us', 'ip_blocked', { smtp: recipients(() => '550 5.7.1 Client host blocked using zen.spamhaus.org') }],
    ['ends the connection', 'temporary_failure', { smtp: recipients((_, connection) => (connection.end(), null)) }],
  ])('what the lists say leaves a role address unknown as any other when its host %s', async (_, reason, world) => {
    const { engine } = await startMailWorld({ lists, ...world });
    const [role, person] = await verifyAll(engine, ['info@example.com', 'jane@example.com']);
    expect(role).toMatchObject({ verdict: 'unknown', reason, checks: { role: true } });
    expect([role!.retryAfterSeconds, role!.score]).toEqual([person!.retryAfterSeconds, person!.score]);
  });
});

describe('a suggestion', () => {
  it.each([
    ['jane@gmial.com', 'valid mailbox_exists'],
    ['nobody@gmial.com', 'invalid mailbox_not_found'],
    ['jane@gmaill.com', 'invalid domain_not_found'],
  ])('a suggestion for %s leaves the verdict at %s', async (email, verdict) => {
    const { engine } = await world();
    const verification = await engine.verify(email, { budgetMs });
    expect(verification.didYouMean).toBe(`${email.split('@')[0]}@gmail.com`);
    expect(verdictAndReason(verification)).toBe(verdict);
  });

  it('a suggestion is not made for a domain that gives mailboxes to the public itself', async () => {
    const { engine } = await startMailWorld({
      zones: { 'ymail.com': { MX: [[10, 'mx.example.com']] } },
      smtp: { onLine: mailboxes('jane') },
    });
    expect((await engine.verify('jane@ymail.com', { budgetMs })).didYouMean).toBeNull();
  });

  it('a suggestion is not made for a domain that the list of free providers has, however near it is to another', async () => {
    const { engine } = await startMailWorld({ lists: { free: 'hotmial.com\n' } });
    expect((await engine.verify('jane@hotmial.com', { budgetMs })).didYouMean).toBeNull();
    expect((await engine.verify('jane@hotmal.com', { budgetMs })).didYouMean).toBe('jane@hotmail.com');
  });

  it('a suggestion is made for a slip of a short name only when nothing takes mail there', async () => {
    const { engine } = await startMailWorld({
      zones: {
        'wev.de': { MX: [[10, 'mx.example.com']] },
        'gmz.de': { MX: [[0, '.']] },
        'msm.com': 'servfail',
        'livr.com': { TXT: ['v=spf1 -all'] },
      },
      smtp: { onLine: mailboxes('jane') },
    });
    const suggested = async (domain: string) => (await engine.verify(`jane@${domain}`, { budgetMs })).didYouMean;
    expect(await suggested('wev.de')).toBeNull();
    expect(await suggested('msm.com')).toBeNull();
    expect(await suggested('wbe.de')).toBe('jane@web.de');
    expect(await suggested('gmz.de')).toBe('jane@gmx.de');
    expect(await suggested('livr.com')).toBe('jane@live.com');
  });

  it('a suggestion puts the lost dot back into the domain of a malformed address', async () => {
    const { engine } = await startMailWorld({ lists: { free: 'posta.example\n' } });
    for (const [given, meant] of [
      ['gmailcom', 'gmail.com'],
      ['gmail..com', 'gmail.com'],
      ['postaexample', 'posta.example'],
    ] as const) {
      const verification = await engine.verify(`jane@${given}`, { budgetMs });
      expect(verdictAndReason(verification)).toBe('invalid invalid_syntax');
      expect(verification.didYouMean).toBe(`jane@${meant}`);
    }
  });
});

describe('evidence', () => {
  it('evidence says where a fact was learned, by which host, in whose words and when', async () => {
    const { engine } = await world();
    const before = Date.now();
    const { evidence } = await engine.verify('nobody@example.com', { budgetMs });
    expect(evidence).toEqual({
      stage: 'rcpt',
      mxHost: 'mx.example.com',
      mxAddress: '127.0.0.1',
      code: 550,
      enhanced: '5.1.1',
      text: 'User unknown',
      at: expect.any(Number) as number,
      fromCache: false,
      witness: null,
      source: 'default',
    });
    expect(evidence.at).toBeGreaterThanOrEqual(before);
  });

  it('evidence says when a fact is remembered', async () => {
    const { engine } = await world();
    const first = await engine.verify('jane@nowhere.com', { budgetMs });
    const second = await engine.verify('john@nowhere.com', { budgetMs });
    expect(first.evidence).toMatchObject({ stage: 'dns', text: 'domain_not_found', fromCache: false });
    expect(second.evidence).toMatchObject({ stage: 'dns', text: 'domain_not_found', fromCache: true });
  });

  it('evidence of a malformed address is its error', async () => {
    const { engine } = await world();
    const verification = await engine.verify('jane@', { budgetMs });
    expect(verification).toMatchObject({
      normalizedEmail: null,
      evidence: { stage: 'syntax', text: 'domain_empty', mxHost: null, code: null },
      checks: { syntax: 'fail', mx: 'skipped', smtp: 'skipped' },
    });
  });
});
