import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';

import type { Random } from '../../src/lib/clock.js';
import { budgetMs, mailboxes, numbered, recipients, verdictAndReason, verifyAll } from '../support/mail-scripts.js';
import { startMailWorld, TWO_HOSTS } from '../support/mail-world.js';
import type { ScriptedConnection } from '../support/scripted-smtp-server.js';

const HAS_IPV6 = networkInterfaces()['lo']?.some(({ address }) => address === '::1') ?? false;

/** A host that answers its first connection so and no other. */
const greets = (banner: string) => ({ onConnect: () => banner, onLine: mailboxes() });

describe('which mail host is asked', () => {
  it('which mail host is asked asks the next host when the first cannot be connected to, and is less sure', async () => {
    const { engine, addHost } = await startMailWorld({ zones: TWO_HOSTS, smtp: null });
    const backup = await addHost('127.0.0.2', { onLine: mailboxes('jane') });
    const verification = await engine.verify('jane@example.com', { budgetMs });
    expect(verdictAndReason(verification)).toBe('valid mailbox_exists');
    expect(verification.evidence).toMatchObject({ mxHost: 'mx2.example.com', mxAddress: '127.0.0.2' });
    expect(verification.score).toBe(85);
    expect(backup.recipients[0]).toBe('jane@example.com');
  });

  it.runIf(HAS_IPV6)(
    "which mail host is asked asks for a host's IPv6 addresses when its IPv4 addresses cannot be connected to, and not before",
    async () => {
      const zones = {
        'example.com': { MX: [[10, 'mx.example.com']] },
        'mx.example.com': { A: ['127.0.0.2'], AAAA: ['::1'] },
      } as const;
      const mxAllowedNetworks = ['127.0.0.0/8', '::1/128'];
      const { engine, dns, addHost } = await startMailWorld({ zones, smtp: null, engine: { mxAllowedNetworks } });
      const v6 = await addHost('::1', { onLine: mailboxes('jane') });
      const verification = await engine.verify('jane@example.com', { budgetMs });
      expect(verdictAndReason(verification)).toBe('valid mailbox_exists');
      expect(verification.evidence).toMatchObject({ mxHost: 'mx.example.com', mxAddress: '::1' });
      expect(v6.recipients[0]).toBe('jane@example.com');
      const asked = dns.questions.map(({ name, type }) => `${type} ${name}`);
      expect(asked).toEqual(['MX example.com', 'A mx.example.com', 'AAAA mx.example.com']);
    },
  );

  it.each(['421 4.3.2 Shutting down', '450 4.7.1 Not now', '451 4.3.0 Try later'])(
    'which mail host is asked asks the next host when the first greets with %s',
    async (banner) => {
      const { engine, smtp, addHost } = await startMailWorld({ zones: TWO_HOSTS, smtp: greets(banner) });
      await addHost('127.0.0.2', { onLine: mailboxes('jane') });
      expect(verdictAndReason(await engine.verify('jane@example.com', { budgetMs }))).toBe('valid mailbox_exists');
      expect(smtp.connections[0]!.lines.filter((line) => line !== 'QUIT')).toEqual([]);
    },
  );

  it('which mail host is asked takes a 5xx banner for the answer and asks no other host', async () => {
    const { engine, addHost } = await startMailWorld({ zones: TWO_HOSTS, smtp: greets('554 5.3.2 No mail here') });
    const backup = await addHost('127.0.0.2');
    const verification = await engine.verify('jane@example.com', { budgetMs });
    expect(verification.verdict).toBe('unknown');
    expect(verification.evidence).toMatchObject({ stage: 'banner', code: 554, mxHost: 'mx1.example.com' });
    expect(backup.connections).toHaveLength(0);
  });

  it('which mail host is asked reports the most telling failure when no host lets us on', async () => {
    const { engine, addHost } = await startMailWorld({ zones: TWO_HOSTS, smtp: null });
    await addHost('127.0.0.2', greets('451 4.3.2 Too busy'));
    const verification = await engine.verify('jane@example.com', { budgetMs });
    expect(verdictAndReason(verification)).toBe('unknown temporary_failure');
    expect(verification.evidence).toMatchObject({ stage: 'banner', code: 451, mxHost: 'mx2.example.com' });
  });

  it('which mail host is asked asks the next host when the first cannot answer because of a fault of its own', async () => {
    for (const fault of ['451 Temporary local problem - please try later', '451 4.3.0 Temporary lookup failure']) {
      const { engine, smtp, addHost } = await startMailWorld({ zones: TWO_HOSTS, smtp: recipients(() => fault) });
      await addHost('127.0.0.2', { onLine: mailboxes('jane') });
      const all = await verifyAll(engine, ['jane@example.com', 'joe@example.com', 'jim@example.com']);
      expect(all.map(verdictAndReason)).toEqual([
        'valid mailbox_exists',
        'invalid mailbox_not_found',
        'invalid mailbox_not_found',
      ]);
      expect(all[0]!.evidence.mxHost).toBe('mx2.example.com');
      expect(smtp.connections).toHaveLength(1);
    }
  });

  it('which mail host is asked has the reply of the last host when all have such a fault, and asks each once', async () => {
    const { engine, smtp, addHost } = await startMailWorld({
      zones: TWO_HOSTS,
      smtp: recipients(() => '451 Temporary local problem'),
    });
    const backup = await addHost(
      '127.0.0.2',
      recipients(() => '451 Temporary lookup failure'),
    );
    const verification = await engine.verify('jane@example.com', { budgetMs });
    expect(verdictAndReason(verification)).toBe('unknown temporary_failure');
    expect(verification.evidence).toMatchObject({ mxHost: 'mx2.example.com', text: 'Temporary lookup failure' });
    expect([smtp.recipients, backup.recipients]).toEqual([['jane@example.com'], ['jane@example.com']]);
  });

  it.each([
    '450 4.2.0 Greylisted',
    '450 4.2.2 Mailbox full',
    '450 4.1.1 User unknown',
    '451 4.7.1 Too many connections',
  ])(
    'which mail host is asked asks no other host when the first answers %s, which is about us or the mailbox',
    async (reply) => {
      const { engine, addHost } = await startMailWorld({ zones: TWO_HOSTS, smtp: recipients(() => reply) });
      const backup = await addHost('127.0.0.2', { onLine: mailboxes('jane') });
      await engine.verify('jane@example.com', { budgetMs });
      expect(backup.recipients).toEqual([]);
    },
  );

  it('which mail host is asked asks the hosts in the order of preference, not of the answer', async () => {
    const { engine, smtp, addHost } = await startMailWorld({
      zones: {
        ...TWO_HOSTS,
        'example.com': {
          MX: [
            [20, 'mx2.example.com'],
            [10, 'mx1.example.com'],
          ],
        },
      },
      smtp: { onLine: mailboxes('jane') },
    });
    const backup = await addHost('127.0.0.2');
    await engine.verify('jane@example.com', { budgetMs });
    expect(smtp.connections).toHaveLength(1);
    expect(backup.connections).toHaveLength(0);
  });

  it.each([
    [0, 1],
    [0.99, 0],
  ])('which mail host is asked spreads over hosts of equal preference by chance (%d)', async (fraction, chosen) => {
    const random: Random = { fraction: () => fraction };
    const MX = [
      [10, 'mx1.example.com'],
      [10, 'mx2.example.com'],
    ] as const;
    const { engine, smtp, addHost } = await startMailWorld({
      zones: { ...TWO_HOSTS, 'example.com': { MX } },
      smtp: { onLine: mailboxes() },
      ports: { random },
    });
    const servers = [smtp, await addHost('127.0.0.2', { onLine: mailboxes() })];
    expect(verdictAndReason(await engine.verify('x@example.com', { budgetMs }))).toBe('invalid mailbox_not_found');
    expect(servers.map(({ connections }) => connections.length)).toEqual(chosen === 0 ? [1, 0] : [0, 1]);
  });

  it('which mail host is asked tries the addresses of a host one after another', async () => {
    const { engine, smtp } = await startMailWorld({
      zones: { 'mx.example.com': { A: ['127.0.0.9', '127.0.0.1'] } },
      smtp: { onLine: mailboxes('jane') },
    });
    expect(verdictAndReason(await engine.verify('jane@example.com', { budgetMs }))).toBe('valid mailbox_exists');
    expect(smtp.connections).toHaveLength(1);
  });

  it('which mail host is asked asks the domain itself when it has no MX record', async () => {
    const { engine } = await startMailWorld({
      zones: { 'plain.com': { A: ['127.0.0.1'] } },
      smtp: { onLine: mailboxes('jane') },
    });
    const verification = await engine.verify('jane@plain.com', { budgetMs });
    expect(verification).toMatchObject({ verdict: 'valid', mxHost: 'plain.com' });
  });

  it('which mail host is asked follows an alias of the mail host, as common servers do', async () => {
    const { engine } = await startMailWorld({
      zones: {
        'alias.com': { MX: [[10, 'mx.alias.com']] },
        'mx.alias.com': { CNAME: 'mx.example.com' },
      },
      smtp: { onLine: mailboxes('jane') },
    });
    expect(verdictAndReason(await engine.verify('jane@alias.com', { budgetMs }))).toBe('valid mailbox_exists');
  });

  it('which mail host is asked takes an address for a host name, and calls what it accepts risky, because many senders do not', async () => {
    const { engine } = await startMailWorld({
      zones: { 'number.com': { MX: [[10, '127.0.0.1']] } },
      smtp: { onLine: mailboxes('jane', 'info') },
      lists: { role: 'info' },
    });
    const [named, numbered, literal, missing, role] = await verifyAll(engine, [
      'jane@example.com',
      'jane@number.com',
      'jane@[127.0.0.1]',
      'john@number.com',
      'info@number.com',
    ]);
    expect([named, numbered, literal, missing, role].map((verification) => verdictAndReason(verification!))).toEqual([
      'valid mailbox_exists',
      'risky mailbox_restricted',
      'valid mailbox_exists',
      'invalid mailbox_not_found',
      'risky mailbox_restricted',
    ]);
    for (const { evidence } of [numbered!, role!])
      expect(evidence.text).toMatch(/^the MX record names the mail host by its address/);
    expect(numbered!.checks.smtp).toBe('pass');
    expect(numbered!.confidence).toBeLessThan(named!.confidence);
    expect(literal!.confidence).toBe(named!.confidence);
    expect(missing!.evidence.text).not.toContain('by its address');
  });

  it('which mail host is asked does not try a silent host again for each address that needs it', async () => {
    const { engine, addHost } = await startMailWorld({ zones: TWO_HOSTS, smtp: null });
    await addHost('127.0.0.2', { onLine: mailboxes('jane') });
    for (const name of ['jane', 'john']) await engine.verify(`${name}@example.com`, { budgetMs });
    const again = await engine.verify('joan@example.com', { budgetMs });
    expect(again.evidence.mxHost).toBe('mx2.example.com');
  });
});

describe('a server that says goodbye (421) in mid-session', () => {
  const known = numbered(30, (index) => `user${index}`);
  const addresses = known.map((name) => `${name}@example.com`);
  /** Answers so many recipients of a connection, then says 421 and hangs up. */
  const tires = (after: number) => {
    const answered = new Map<ScriptedConnection, number>();
    return recipients((localPart, connection) => {
      const before = answered.get(connection) ?? 0;
      answered.set(connection, before + 1);
      if (before < after) return known.includes(localPart) ? undefined : '550 5.1.1 User unknown';
      connection.write('421 4.7.0 Enough for now\r\n');
      connection.mute();
      connection.end();
      return null;
    });
  };

  it('a server that says goodbye (421) in mid-session keeps the answers so far and asks the rest on fresh connections', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: tires(5) });
    const all = await verifyAll(engine, addresses);
    expect(all.map(verdictAndReason)).toEqual(known.map(() => 'valid mailbox_exists'));
    expect(smtp.connections.length).toBeGreaterThan(5);
    expect(smtp.connections.length).toBeLessThan(20);
  });

  it('a server that says goodbye (421) in mid-session goes to the next host when the first goes on saying so', async () => {
    const { engine, smtp, addHost } = await startMailWorld({ zones: TWO_HOSTS, smtp: tires(0) });
    await addHost('127.0.0.2', { onLine: mailboxes(...known) });
    const all = await verifyAll(engine, addresses);
    expect(all.map(verdictAndReason)).toEqual(known.map(() => 'valid mailbox_exists'));
    expect(smtp.connections.length).toBeLessThan(10);
  });

  it('a server that says goodbye (421) in mid-session does not give up a domain whose every host says so now and then', async () => {
    const { engine, addHost } = await startMailWorld({ zones: TWO_HOSTS, smtp: tires(5) });
    await addHost('127.0.0.2', tires(5));
    const all = await verifyAll(engine, addresses);
    expect(all.map(verdictAndReason)).toEqual(known.map(() => 'valid mailbox_exists'));
  });

  it('a server that says goodbye (421) in mid-session has the server’s reply when no host gives an answer', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: tires(0) });
    const all = await verifyAll(engine, addresses);
    expect(new Set(all.map(verdictAndReason))).toEqual(new Set(['unknown temporary_failure']));
    expect(all[0]!.evidence).toMatchObject({ code: 421, text: 'Enough for now' });
    expect(smtp.connections.length).toBeLessThan(10);
  });
});
