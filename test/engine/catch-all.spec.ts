import { describe, expect, it } from 'vitest';

import { HOUR_MS } from '../../src/lib/durations.js';
import {
  budgetMs,
  localPartOf,
  mailboxes,
  numbered,
  recipients,
  verdictAndReason,
  verifyAll,
} from '../support/mail-scripts.js';
import { startMailWorld } from '../support/mail-world.js';
import { ManualClock, timedPorts } from '../support/manual-clock.js';
import type { ScriptedAnswer } from '../support/scripted-smtp-server.js';

const JANE = 'jane@example.com';
const PLAUSIBLE = /^[a-z]+\.[a-z]+\d{5}$/;
const RANDOM = /^x[a-z0-9]{14}$/;

/** Accepts jane and answers the made-up shapes as told. */
function shapes(plausible: ScriptedAnswer, random: ScriptedAnswer = plausible) {
  return recipients((localPart) => {
    if (PLAUSIBLE.test(localPart)) return plausible;
    return RANDOM.test(localPart) ? random : undefined;
  });
}

async function timedWorld(options: Parameters<typeof startMailWorld>[0]) {
  const clock = new ManualClock();
  return { clock, ...(await startMailWorld({ ...options, ports: timedPorts(clock) })) };
}

describe('the question whether a domain accepts any name', () => {
  it('the question whether a domain accepts any name comes after the address, in a new transaction', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: { onLine: mailboxes('jane') } });
    await engine.verify(JANE, { budgetMs });
    const { lines } = smtp.connections[0]!;
    expect(lines.slice(1, 5)).toEqual([
      'MAIL FROM:<probe@example.net>',
      `RCPT TO:<${JANE}>`,
      'RSET',
      'MAIL FROM:<probe@example.net>',
    ]);
    expect(localPartOf(lines[5]!)).toMatch(PLAUSIBLE);
    expect(lines).toHaveLength(6);
  });

  it('the question whether a domain accepts any name is not asked when the address is refused, for any reason', async () => {
    const replies = numbered(
      4,
      (index) =>
        ['550 5.1.1 User unknown', '452 4.2.2 Mailbox full', '451 4.7.1 Greylisted', '550 5.2.1 Mailbox disabled'][
          index
        ]!,
    );
    const { engine, smtp } = await startMailWorld({ smtp: recipients((localPart) => replies[Number(localPart)]) });
    await verifyAll(
      engine,
      replies.map((_, index) => `${index}@example.com`),
    );
    expect(smtp.recipients).toHaveLength(4);
  });

  it.each([
    ['refused as unknown', '550 5.1.1 User unknown', 'valid mailbox_exists', 'no', 98],
    ['answered by a 4xx', '450 4.2.0 Greylisted', 'valid mailbox_exists', 'undetermined', 82],
    ['answered by a 4xx that says unknown', '450 4.1.1 User unknown', 'valid mailbox_exists', 'undetermined', 82],
    ['refused for too many recipients', '452 4.5.3 Too many recipients', 'valid mailbox_exists', 'undetermined', 82],
    ['refused for no reason', '550 Rejected', 'valid mailbox_exists', 'undetermined', 82],
    ['a refusal of us', '554 5.7.1 Blocked using zen.spamhaus.org', 'valid mailbox_exists', 'undetermined', 82],
    ['not verified', '252 2.1.5 Cannot VRFY', 'valid mailbox_exists', 'undetermined', 82],
    ['accepted', undefined, 'risky catch_all', 'yes', 50],
  ] as const)('%s', async (_what, reply, verdict, catchAll, score) => {
    const { engine } = await startMailWorld({ smtp: shapes(reply) });
    const verification = await engine.verify(JANE, { budgetMs });
    expect(verdictAndReason(verification)).toBe(verdict);
    expect(verification.checks.catchAll).toBe(catchAll);
    expect(verification.score).toBe(score);
  });

  it('the question whether a domain accepts any name is put a second time, in another shape, before a yes is believed', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: shapes(undefined, '550 5.1.1 User unknown') });
    const verification = await engine.verify(JANE, { budgetMs });
    expect(verification.checks.catchAll).toBe('undetermined');
    expect(verdictAndReason(verification)).toBe('valid mailbox_exists');
    expect(smtp.recipients.map((recipient) => recipient.split('@')[0])).toEqual([
      'jane',
      expect.stringMatching(PLAUSIBLE),
      expect.stringMatching(RANDOM),
    ]);
  });

  it('the question whether a domain accepts any name that ends the connection does not change the acceptance', async () => {
    const { engine } = await startMailWorld({
      smtp: recipients((localPart, connection) => {
        if (localPart === 'jane') return undefined;
        connection.mute();
        connection.end();
        return null;
      }),
    });
    const verification = await engine.verify(JANE, { budgetMs });
    expect(verdictAndReason(verification)).toBe('valid mailbox_exists');
    expect(verification.checks.catchAll).toBe('undetermined');
  });

  it('the question whether a domain accepts any name is asked once for a domain however many of its addresses come together', async () => {
    const known = numbered(60, (index) => `user${index}`);
    const { engine, smtp } = await startMailWorld({ smtp: { onLine: mailboxes(...known) } });
    const all = await verifyAll(
      engine,
      known.map((name) => `${name}@example.com`),
    );
    expect(all.map(verdictAndReason)).toEqual(known.map(() => 'valid mailbox_exists'));
    expect(smtp.recipients).toHaveLength(61);
  });

  it.each([
    ['no', '550 5.1.1 User unknown', 24],
    ['yes', undefined, 7 * 24],
    ['undetermined', '450 4.2.0 Later', 1],
  ] as const)('the question whether a domain accepts any name is remembered: %s', async (_state, reply, hours) => {
    const { engine, clock, smtp } = await timedWorld({ smtp: shapes(reply) });
    const made = () => smtp.recipients.filter((recipient) => recipient !== JANE).length;
    await engine.verify(JANE, { budgetMs });
    const asked = made();
    clock.advance(hours * HOUR_MS - 60_000);
    await engine.verify(JANE, { budgetMs });
    expect(made()).toBe(asked);
    clock.advance(2 * 60_000);
    await engine.verify(JANE, { budgetMs });
    expect(made()).toBe(2 * asked);
  });

  it('the question whether a domain accepts any name is asked again when the domain has moved to other mail hosts', async () => {
    const { engine, clock, dns, smtp, addHost } = await timedWorld({ smtp: { onLine: mailboxes('jane') } });
    expect((await engine.verify(JANE, { budgetMs })).checks.catchAll).toBe('no');
    const moved = await addHost('127.0.0.2');
    dns.set('example.com', { MX: [[10, 'mx.elsewhere.com']] });
    dns.set('mx.elsewhere.com', { A: ['127.0.0.2'] });
    clock.advance(2 * HOUR_MS);
    expect((await engine.verify(JANE, { budgetMs })).checks.catchAll).toBe('yes');
    expect(moved.recipients).toHaveLength(3);
    expect(smtp.recipients).toHaveLength(2);
  });

  it('the question whether a domain accepts any name is asked of each domain of a mail host by itself', async () => {
    const { engine } = await startMailWorld({
      zones: { 'other.com': { MX: [[10, 'mx.example.com']] } },
      smtp: {
        onLine: (line, connection) => (line.endsWith('@other.com>') ? undefined : mailboxes('jane')(line, connection)),
      },
    });
    const all = await verifyAll(engine, [JANE, 'jane@other.com']);
    expect(all.map(verdictAndReason)).toEqual(['valid mailbox_exists', 'risky catch_all']);
  });

  it('the question whether a domain accepts any name is known beforehand for the own domains of some operators, and only for those', async () => {
    const { engine, smtp } = await startMailWorld({
      zones: {
        'icloud.com': { MX: [[10, 'mx01.mail.icloud.com']] },
        'custom.com': { MX: [[10, 'mx01.mail.icloud.com']] },
        'mx01.mail.icloud.com': { A: ['127.0.0.1'] },
      },
    });
    const own = await engine.verify('jane@icloud.com', { budgetMs });
    expect(own).toMatchObject({ verdict: 'valid', score: 97, provider: 'iCloud', checks: { catchAll: 'no' } });
    expect(smtp.recipients).toEqual(['jane@icloud.com']);
    expect(verdictAndReason(await engine.verify('jane@custom.com', { budgetMs }))).toBe('risky catch_all');
  });

  it('the question whether a domain accepts any name does not take an operator at its word when its domain is served by somebody else', async () => {
    const { engine } = await startMailWorld({ zones: { 'icloud.com': { MX: [[10, 'mx.example.com']] } } });
    expect(verdictAndReason(await engine.verify('jane@icloud.com', { budgetMs }))).toBe('risky catch_all');
  });

  it('the question whether a domain accepts any name is not asked of a host that has opted out since it accepted an address', async () => {
    let hasOptedOut = false;
    const { engine, smtp } = await startMailWorld({
      smtp: recipients(() => {
        hasOptedOut = true;
        return undefined;
      }),
      engine: { isLeftAlone: () => hasOptedOut },
    });
    const { verdict, checks } = await engine.verify(JANE, { budgetMs });
    expect([verdict, checks.catchAll]).not.toEqual(['valid', 'no']);
    expect(smtp.recipients).toEqual([JANE]);
  });
});
