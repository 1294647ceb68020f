import { describe, expect, it } from 'vitest';

import { budgetMs, mailboxes, numbered, recipients, verdictAndReason, verifyAll } from '../support/mail-scripts.js';
import { startMailWorld, type MailWorldOptions } from '../support/mail-world.js';
import { ManualClock, timedPorts } from '../support/manual-clock.js';

const BLOCKED = '554 5.7.1 Client host [192.0.2.1] blocked using zen.spamhaus.org';
const QUARTER_MS = 15 * 60_000;

async function timedWorld(options: MailWorldOptions) {
  const clock = new ManualClock();
  const world = await startMailWorld({ ...options, ports: { ...timedPorts(clock), ...options.ports } });
  return { clock, ...world };
}

const many = (count: number) => numbered(count, (index) => `user${index}@example.com`);

describe('an operator that refuses us', () => {
  it('an operator that refuses us is not talked to after three refusals: the others get ip_blocked and a time to come back', async () => {
    const { engine, smtp } = await timedWorld({ smtp: recipients(() => BLOCKED) });
    const all = await verifyAll(engine, many(200));
    expect(new Set(all.map(verdictAndReason))).toEqual(new Set(['unknown ip_blocked']));
    expect(smtp.connections.length).toBeLessThanOrEqual(5);
    expect(smtp.recipients.length).toBeLessThanOrEqual(40);
    const before = smtp.connections.length;
    const next = await engine.verify('late@example.com', { budgetMs });
    expect(verdictAndReason(next)).toBe('unknown ip_blocked');
    expect(next.retryAfterSeconds).toBe(900);
    expect(next.evidence).toMatchObject({ fromCache: true, mxHost: 'mx.example.com' });
    expect(smtp.connections).toHaveLength(before);
  });

  it('an operator that refuses us at the banner is left alone in the same way', async () => {
    const { engine, smtp } = await timedWorld({ smtp: { onConnect: () => BLOCKED } });
    for (let index = 0; index < 10; index += 1) {
      const { reason, retryAfterSeconds } = await engine.verify(`user${index}@example.com`, { budgetMs });
      expect(reason).toBe('ip_blocked');
      expect(retryAfterSeconds).toBeGreaterThan(0);
    }
    expect(smtp.connections).toHaveLength(3);
  });

  it('an operator that refuses us by 421 in mid-session is left alone in the same way', async () => {
    const { engine, smtp } = await timedWorld({
      smtp: {
        onLine: (line, connection) => {
          if (!line.startsWith('MAIL')) return undefined;
          connection.write('421 4.7.1 Service refused, [192.0.2.1] is listed at zen.spamhaus.org\r\n');
          connection.mute();
          connection.end();
          return null;
        },
      },
    });
    const all = await verifyAll(engine, many(100));
    expect(new Set(all.map(verdictAndReason))).toEqual(new Set(['unknown ip_blocked']));
    expect(smtp.connections.length).toBeLessThanOrEqual(8);
  });

  it('an operator that refuses us for our missing host name is left alone too', async () => {
    const { engine, smtp } = await timedWorld({
      smtp: recipients(() => '550 5.7.25 Client host rejected: cannot find your reverse hostname'),
    });
    const all = await verifyAll(engine, many(100));
    expect(new Set(all.map(verdictAndReason))).toEqual(new Set(['unknown ip_blocked']));
    expect(smtp.recipients.length).toBeLessThanOrEqual(40);
  });

  it('an operator that refuses us is the operator, not the domain: its other domains are not asked either, those of others are', async () => {
    const { engine, smtp, addHost } = await timedWorld({
      zones: {
        'one.com': { MX: [[0, 'one-com.mail.protection.outlook.com']] },
        'two.com': { MX: [[0, 'two-com.mail.protection.outlook.com']] },
        '*.mail.protection.outlook.com': { A: ['127.0.0.1'] },
        'mx.example.com': { A: ['127.0.0.2'] },
      },
      smtp: recipients(() => '550 5.7.606 Access denied, banned sending IP [192.0.2.1]'),
    });
    await addHost('127.0.0.2', { onLine: mailboxes('jane') });
    await verifyAll(
      engine,
      numbered(4, (index) => `user${index}@one.com`),
    );
    const before = smtp.connections.length;
    expect(verdictAndReason(await engine.verify('jane@two.com', { budgetMs }))).toBe('unknown ip_blocked');
    expect(smtp.connections).toHaveLength(before);
    expect(verdictAndReason(await engine.verify('jane@example.com', { budgetMs }))).toBe('valid mailbox_exists');
  });

  it('an operator that refuses us is left alone whichever of its equal hosts comes first', async () => {
    let fraction = 0;
    const MX = [
      [10, 'mx1.example.com'],
      [10, 'mx2.example.com'],
    ] as const;
    const { engine, smtp, addHost } = await timedWorld({
      zones: {
        'example.com': { MX },
        'mx1.example.com': { A: ['127.0.0.1'] },
        'mx2.example.com': { A: ['127.0.0.2'] },
      },
      smtp: recipients(() => BLOCKED),
      ports: { random: { fraction: () => fraction } },
    });
    const other = await addHost(
      '127.0.0.2',
      recipients(() => BLOCKED),
    );
    await verifyAll(engine, many(4));
    for (const server of [smtp, other]) await server.until(() => server.connections.every(({ closed }) => closed));
    // What was kept of the way is gone, its order of hosts included, a few turns after the last connection.
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    fraction = 0.99;
    const before = smtp.connections.length + other.connections.length;
    expect(verdictAndReason(await engine.verify('jane@example.com', { budgetMs }))).toBe('unknown ip_blocked');
    expect(smtp.connections.length + other.connections.length).toBe(before);
  });

  it('an operator that refuses us is not one that refuses now and then: a mailbox answer in between counts for it', async () => {
    const { engine, smtp } = await timedWorld({
      smtp: recipients((localPart) => (Number(localPart.slice(4)) % 3 === 2 ? '550 5.1.1 User unknown' : BLOCKED)),
    });
    await verifyAll(engine, many(24));
    expect(smtp.recipients).toHaveLength(24);
  });

  it('an operator that refuses us is still one when it asks for patience in between', async () => {
    const { engine, smtp } = await timedWorld({
      smtp: recipients((localPart) => (Number(localPart.slice(4)) % 2 === 0 ? BLOCKED : '451 4.3.0 Try later')),
    });
    await verifyAll(engine, many(100));
    expect(smtp.recipients.length).toBeLessThanOrEqual(40);
  });

  it('an operator that refuses us is not one whose mailboxes ask for patience', async () => {
    const { engine, smtp } = await timedWorld({ smtp: recipients(() => '451 4.7.1 Greylisted, come back later') });
    const all = await verifyAll(engine, many(20));
    expect(new Set(all.map(verdictAndReason))).toEqual(new Set(['unknown greylisted']));
    expect(all[0]!.retryAfterSeconds).toBe(300);
    expect(smtp.recipients).toHaveLength(20);
  });
});

describe('after the pause', () => {
  const refusing = { now: true };
  const script = recipients((localPart) => {
    if (refusing.now) return BLOCKED;
    return localPart === 'jane' ? undefined : '550 5.1.1 User unknown';
  });

  it('an operator that has relented is talked to as before', async () => {
    refusing.now = true;
    const { engine, clock, smtp } = await timedWorld({ smtp: script });
    await verifyAll(engine, many(4));
    refusing.now = false;
    clock.advance(QUARTER_MS - 1_000);
    expect((await engine.verify('jane@example.com', { budgetMs })).retryAfterSeconds).toBe(1);
    clock.advance(1_000);
    expect(verdictAndReason(await engine.verify('jane@example.com', { budgetMs }))).toBe('valid mailbox_exists');
    const all = await verifyAll(engine, many(20));
    expect(new Set(all.map(verdictAndReason))).toEqual(new Set(['invalid mailbox_not_found']));
    expect(smtp.connections.length).toBeGreaterThan(1);
  });

  it('one that still refuses gets one conversation, and twice the pause', async () => {
    refusing.now = true;
    const { engine, clock, smtp } = await timedWorld({ smtp: script });
    await verifyAll(engine, many(4));
    for (const pauseMs of [2 * QUARTER_MS, 4 * QUARTER_MS, 8 * QUARTER_MS, 16 * QUARTER_MS, 16 * QUARTER_MS]) {
      const { retryAfterSeconds } = await engine.verify('jane@example.com', { budgetMs });
      clock.advance(retryAfterSeconds! * 1_000);
      const before = smtp.connections.length;
      const all = await verifyAll(engine, many(200));
      expect(new Set(all.map(verdictAndReason))).toEqual(new Set(['unknown ip_blocked']));
      expect(smtp.connections.length - before).toBe(1);
      expect((await engine.verify('jane@example.com', { budgetMs })).retryAfterSeconds).toBe(pauseMs / 1_000);
    }
  });
});
