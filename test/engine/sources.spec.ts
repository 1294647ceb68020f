import { onTestFinished, describe, expect, it } from 'vitest';
import { createSocketDialer, type SourceCondition, WireError } from '../../src/engine/verification/engine.js';
import { PORT_25, type Dialer, type EgressSource, type SharedBlock } from '../../src/engine/ports.js';
import { budgetMs, localPartOf, mailboxes, numbered, verdictAndReason, verifyAll } from '../support/mail-scripts.js';
import { startMailWorld, type MailWorldOptions } from '../support/mail-world.js';
import { ManualClock, timedPorts } from '../support/manual-clock.js';
import type { ScriptedConnection, SmtpScript } from '../support/scripted-smtp-server.js';
import { startSocks5Server, type Socks5Options } from '../support/socks5-server.js';

const BLOCKED = '554 5.7.1 Client host blocked using zen.spamhaus.org';

function source(name: string, address: string | null, other: Partial<EgressSource> = {}): EgressSource {
  const rest = { socks5: null, region: null, weight: 1, since: null, operators: null };
  return { name, address, helo: `${name}.example.net`, mailFrom: `probe@${name}.example.net`, ...rest, ...other };
}

const A = source('a', '127.0.1.1');
const B = source('b', '127.0.2.1');
/** In the network of A. */
const NEIGHBOUR = source('neighbour', '127.0.1.2');

function world(sources: readonly EgressSource[], smtp: SmtpScript, other: MailWorldOptions['engine'] = {}) {
  return startMailWorld({ smtp, engine: { sources, ...other } });
}

const many = (count: number) => numbered(count, (index) => `user${index}@example.com`);
const users = mailboxes(...numbered(1_000, (index) => `user${index}`));
const from = (connections: readonly ScriptedConnection[], address: string) =>
  connections.filter((connection) => connection.from === address);

async function proxied(options: Socks5Options, login: { user: string; password: string } | null = null) {
  const proxy = await startSocks5Server(options);
  onTestFinished(() => proxy.close());
  const socks5 = { host: '127.0.0.1', port: proxy.port, user: login?.user ?? null, password: login?.password ?? null };
  return { proxy, config: source('far', null, { socks5 }) };
}

describe('a source of ours', () => {
  it('a source of ours is the address from which mail hosts are asked, with its own name and sender, and evidence names it', async () => {
    const { engine, smtp } = await world([A], { onLine: mailboxes('jane') });
    const { evidence } = await engine.verify('jane@example.com', { budgetMs });
    expect(evidence.source).toBe('a');
    expect(smtp.connections[0]!.from).toBe('127.0.1.1');
    expect(smtp.connections[0]!.lines.slice(0, 2)).toEqual(['EHLO a.example.net', 'MAIL FROM:<probe@a.example.net>']);
  });

  it('a source of ours whose address is not on this machine says nothing of mailboxes, rests, and leaves them to another', async () => {
    const { engine, smtp } = await world([source('gone', '192.0.2.77'), A], { onLine: mailboxes('jane') });
    const all = await verifyAll(engine, ['jane@example.com', 'nobody@example.com']);
    expect(all.map(verdictAndReason)).toEqual(['valid mailbox_exists', 'invalid mailbox_not_found']);
    expect(new Set(smtp.connections.map((connection) => connection.from))).toEqual(new Set(['127.0.1.1']));
  });

  it('a source of ours alone, whose address is not on this machine, is told as unreachable with a time to come back', async () => {
    const { engine } = await world([source('gone', '192.0.2.77')], {});
    const verification = await engine.verify('jane@example.com', { budgetMs });
    expect(verdictAndReason(verification)).toBe('unknown smtp_unreachable');
    expect(verification.evidence).toMatchObject({ source: 'gone', text: expect.stringContaining('EADDRNOTAVAIL') });
    expect(verification.retryAfterSeconds).toBe(10);
    expect(engine.sources()).toMatchObject([{ name: 'gone', fault: expect.stringContaining('EADDRNOTAVAIL') }]);
  });

  it('a source of ours asks only the operators that it is for', async () => {
    const { engine, smtp } = await world([source('google-only', '127.0.3.1', { operators: ['google'] }), A], {
      onLine: users,
    });
    await verifyAll(engine, many(300));
    expect(new Set(smtp.connections.map((connection) => connection.from))).toEqual(new Set(['127.0.1.1']));
  });
});

describe('sources that change while they ask', () => {
  it('sources that change while they ask leave nothing unanswered: one that is taken out is asked no more, and a new one joins in', async () => {
    const C = source('c', '127.0.3.1');
    let asked = 0;
    let lastOfB = 0;
    const { engine, smtp } = await world([A, B], {
      onLine: (line, connection) => {
        if (localPartOf(line) !== null) {
          asked += 1;
          if (connection.from === '127.0.2.1') lastOfB = asked;
          if (asked === 300) engine.useSources([A, C]);
        }
        return users(line, connection);
      },
    });
    const all = await verifyAll(engine, many(900));
    expect(new Set(all.map(verdictAndReason))).toEqual(new Set(['valid mailbox_exists']));
    expect(asked).toBe(901);
    expect(lastOfB).toBeLessThan(600);
    expect(new Set(all.map(({ evidence }) => evidence.source))).toEqual(new Set(['a', 'b', 'c']));
    expect(engine.sources().map(({ name }) => name)).toEqual(['a', 'c']);
    expect(from(smtp.connections, '127.0.3.1').length).toBeGreaterThan(0);
  });

  it('sources that change while they ask leave whoever was bound to one of them to the others', async () => {
    const asking: string[] = [];
    const { engine } = await world([A, B], {
      onLine: (line, { from: address }) => {
        if (localPartOf(line) === null) return undefined;
        asking.push(address);
        return asking.length === 1 ? '450 4.2.0 Greylisted' : '550 5.1.1 User unknown';
      },
    });
    expect((await engine.verify('jane@example.com', { budgetMs })).reason).toBe('greylisted');
    engine.useSources([asking[0] === '127.0.1.1' ? B : A]);
    expect(verdictAndReason(await engine.verify('jane@example.com', { budgetMs }))).toBe('invalid mailbox_not_found');
    expect(asking[1]).not.toBe(asking[0]);
  });

  it('sources that change while they ask keep what was learned at those that stay as they were', async () => {
    const { engine } = await world([source('gone', '192.0.2.77')], { onLine: mailboxes('jane') });
    await engine.verify('jane@example.com', { budgetMs });
    engine.useSources([source('gone', '192.0.2.77'), A]);
    expect(engine.sources()).toMatchObject([{ fault: expect.stringContaining('EADDRNOTAVAIL') }, { fault: null }]);
    engine.useSources([source('gone', '127.0.4.4')]);
    expect(engine.sources()).toMatchObject([{ fault: null }]);
    expect((await engine.verify('jane@example.com', { budgetMs })).verdict).toBe('valid');
  });
});

describe('a SOCKS5 proxy', () => {
  it('a SOCKS5 proxy connects for us, with a user and a password', async () => {
    const login = { user: 'me', password: 'pass word' };
    const { proxy, config } = await proxied({ login, from: '127.0.9.9' }, login);
    const { engine, smtp } = await world([config], { onLine: mailboxes('jane') });
    const all = await verifyAll(engine, ['jane@example.com', 'nobody@example.com']);
    expect(all.map(verdictAndReason)).toEqual(['valid mailbox_exists', 'invalid mailbox_not_found']);
    expect(all[0]!.evidence.source).toBe('far');
    expect(smtp.connections[0]!.from).toBe('127.0.9.9');
    expect(proxy.connected).toBeGreaterThan(0);
  });

  it.each([
    ['that refuses the login', { login: { user: 'me', password: 'other' } }],
    ['that does not allow the connection', { reply: 2 }],
  ])('%s is the fault of the source: another one asks', async (_, options) => {
    const { config } = await proxied(options, { user: 'me', password: 'wrong' });
    const { engine, smtp } = await world([config, A], { onLine: users });
    const all = await verifyAll(engine, many(200));
    expect(new Set(all.map(verdictAndReason))).toEqual(new Set(['valid mailbox_exists']));
    expect(new Set(smtp.connections.map((connection) => connection.from))).toEqual(new Set(['127.0.1.1']));
  });

  it('a SOCKS5 proxy that is gone is the fault of the source, and is tried again when it has rested', async () => {
    const clock = new ManualClock();
    const { proxy, config } = await proxied({});
    await proxy.close();
    const { engine, smtp } = await startMailWorld({
      smtp: { onLine: users },
      ports: timedPorts(clock),
      engine: { sources: [config] },
    });
    expect(verdictAndReason(await engine.verify('user1@example.com', { budgetMs }))).toBe('unknown smtp_unreachable');
    const back = await startSocks5Server({ port: config.socks5!.port });
    onTestFinished(() => back.close());
    expect(verdictAndReason(await engine.verify('user2@example.com', { budgetMs }))).toBe('unknown smtp_unreachable');
    expect(smtp.connections).toHaveLength(0);
    clock.advance(10_000);
    expect(verdictAndReason(await engine.verify('user3@example.com', { budgetMs }))).toBe('valid mailbox_exists');
  });

  it('a SOCKS5 proxy that stays away is tried after 10 s, then twice as late each time up to 5 minutes, and anew when it has worked', async () => {
    const clock = new ManualClock();
    const { proxy, config } = await proxied({});
    await proxy.close();
    const { engine } = await startMailWorld({
      smtp: { onLine: users },
      ports: timedPorts(clock),
      engine: { sources: [config] },
    });
    const restOf = async (): Promise<number | null> => {
      await engine.verify('user1@example.com', { budgetMs });
      const until = engine.sources()[0]!.restingUntil;
      return until === null ? null : until - clock.now();
    };
    const seconds: number[] = [];
    for (let fault = 0; fault < 7; fault++) {
      const restMs = (await restOf())!;
      seconds.push(restMs / 1000);
      clock.advance(restMs - 1);
      expect(engine.sources()[0]!.restingUntil).not.toBeNull();
      clock.advance(1);
    }
    expect(seconds).toEqual([10, 20, 40, 80, 160, 300, 300]);
    const back = await startSocks5Server({ port: config.socks5!.port });
    expect(await restOf()).toBeNull();
    await back.close();
    clock.advance(600_000);
    expect(await restOf()).toBe(10_000);
  });

  it('a SOCKS5 proxy whose mail host refuses the connection says so of the host', async () => {
    const { config } = await proxied({ reply: 5 });
    const { engine } = await world([config], {});
    const { reason, evidence } = await engine.verify('jane@example.com', { budgetMs });
    expect([reason, evidence.text]).toEqual(['smtp_unreachable', expect.stringContaining('ConnectionRefused')]);
    expect(engine.sources()).toMatchObject([{ fault: null }]);
  });
});

describe('several sources of ours', () => {
  it('each have the cap of the operator', async () => {
    const open = new Map<string, number>();
    let most = 0;
    const { engine, smtp } = await world([A, B], {
      onLine: async (line, connection) => {
        if (line.startsWith('EHLO')) {
          open.set(connection.from, (open.get(connection.from) ?? 0) + 1);
          most = Math.max(most, open.get(connection.from)!);
        }
        if (line.startsWith('QUIT')) open.set(connection.from, open.get(connection.from)! - 1);
        if (localPartOf(line) !== null) await new Promise((resolve) => setImmediate(resolve));
        return users(line, connection);
      },
    });
    const all = await verifyAll(engine, many(600));
    expect(new Set(all.map(verdictAndReason))).toEqual(new Set(['valid mailbox_exists']));
    expect(from(smtp.connections, '127.0.1.1').length).toBeGreaterThan(1);
    expect(from(smtp.connections, '127.0.2.1').length).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(5);
  });

  it.each([
    ['at a recipient', { onLine: (line: string) => (localPartOf(line) === null ? undefined : BLOCKED) }],
    ['at the banner', { onConnect: () => BLOCKED }],
  ])('several sources of ours stand in for one that is refused %s', async (_, refusal: SmtpScript) => {
    const { engine, smtp } = await world([A, B], {
      onConnect: (connection) => (connection.from === '127.0.1.1' ? refusal.onConnect?.(connection) : undefined),
      onLine: (line, connection) =>
        (connection.from === '127.0.1.1' ? refusal.onLine?.(line, connection) : undefined) ?? users(line, connection),
    });
    const all = await verifyAll(engine, many(400));
    expect(new Set(all.map(verdictAndReason))).toEqual(new Set(['valid mailbox_exists']));
    expect(new Set(all.map(({ evidence }) => evidence.source))).toEqual(new Set(['b']));
    expect(from(smtp.connections, '127.0.1.1').length).toBeLessThanOrEqual(5);
    expect([...engine.openCircuits()].every((circuit) => circuit.source === 'a')).toBe(true);
  });

  it.each([
    ['at MAIL FROM for its SPF record', /^MAIL/i, '550 5.7.23 SPF: 127.0.1.1 is not allowed to send for a.example.net'],
    ['at EHLO for its name', /^(EHLO|HELO)/i, '550 5.7.1 HELO name a.example.net does not resolve'],
  ])('several sources of ours stand in for one that is refused %s', async (_, command, refusal) => {
    const { engine, smtp } = await world([A, B], {
      onLine: (line, connection) =>
        connection.from === '127.0.1.1' && command.test(line) ? refusal : users(line, connection),
    });
    const all = await verifyAll(engine, many(60));
    expect(new Set(all.map(verdictAndReason))).toEqual(new Set(['valid mailbox_exists']));
    expect(new Set(all.map(({ evidence }) => evidence.source))).toEqual(new Set(['b']));
    expect(from(smtp.connections, '127.0.1.1').length).toBeGreaterThan(0);
  });

  it('several sources of ours do not stand in for one whose sender is refused for what it is', async () => {
    const { engine } = await world([A, B], {
      onLine: (line) => (/^MAIL/i.test(line) ? '553 5.1.7 Sender address rejected: bad syntax' : undefined),
    });
    const seen = await engine.verify('user1@example.com', { budgetMs });
    expect(verdictAndReason(seen)).toBe('unknown sender_rejected');
  });

  it('several sources of ours do not stand in for a neighbour, and an address that two networks refuse is unknown', async () => {
    const asked = new Map<string, number>();
    const onLine = (line: string) => {
      const name = localPartOf(line);
      if (name === null) return undefined;
      asked.set(name, (asked.get(name) ?? 0) + 1);
      return BLOCKED;
    };
    const near = await world([A, NEIGHBOUR], { onLine });
    expect(verdictAndReason(await near.engine.verify('one@example.com', { budgetMs }))).toBe('unknown ip_blocked');
    expect(asked.get('one')).toBe(1);
    const far = await world([A, B], { onLine });
    expect(verdictAndReason(await far.engine.verify('two@example.com', { budgetMs }))).toBe('unknown ip_blocked');
    expect(asked.get('two')).toBe(2);
  });

  it('several sources of ours come back to a host that greylists from the address that it has seen', async () => {
    const seen = new Map<string, string>();
    const { engine } = await world([A, B], {
      onLine: (line, { from: address }) => {
        const name = localPartOf(line);
        if (name === null || !name.startsWith('user')) return users(line, {} as ScriptedConnection);
        if (seen.get(name) === address) return undefined;
        seen.set(name, address);
        return '450 4.2.0 Greylisted, try again in 5 minutes';
      },
    });
    const first = await verifyAll(engine, many(200));
    expect(new Set(first.map(verdictAndReason))).toEqual(new Set(['unknown greylisted']));
    expect(new Set(first.map(({ evidence }) => evidence.source))).toEqual(new Set(['a', 'b']));
    const second = await verifyAll(engine, many(200));
    expect(new Set(second.map(verdictAndReason))).toEqual(new Set(['valid mailbox_exists']));
    expect(second.map(({ evidence }) => evidence.source)).toEqual(first.map(({ evidence }) => evidence.source));
  });

  it('several sources of ours ask an address from the source that the caller knows', async () => {
    const { engine } = await world([A, B], { onLine: users });
    const all = await verifyAll(engine, many(100), { sourceOf: (index) => (index % 2 === 0 ? 'a' : 'b') });
    expect(all.map(({ evidence }) => evidence.source)).toEqual(numbered(100, (index) => (index % 2 ? 'b' : 'a')));
  });

  it('several sources of ours that are paused ask nobody, and one that is drained only who must come back to it', async () => {
    const conditions = new Map<string, SourceCondition>([['a', 'paused']]);
    const conditionOf = (name: string) => conditions.get(name) ?? 'open';
    const { engine, smtp } = await world([A, B], { onLine: users }, { conditionOf });
    const ask = async (source: string | null) => {
      const [verification] = await verifyAll(engine, ['user1@example.com'], { sourceOf: () => source });
      return verification!.evidence.source;
    };
    expect([await ask(null), await ask('a')]).toEqual(['b', 'b']);
    conditions.set('a', 'drained');
    expect([await ask(null), await ask('a')]).toEqual(['b', 'a']);
    conditions.set('a', 'paused').set('b', 'paused');
    const connections = smtp.connections.length;
    const [verification] = await verifyAll(engine, ['user9@example.com']);
    expect(verdictAndReason(verification!)).toBe('unknown temporary_failure');
    expect(smtp.connections).toHaveLength(connections);
  });

  it('several sources of ours that are drained ask nobody else on the way to those who must come back to them', async () => {
    const conditionOf = (name: string): SourceCondition => (name === 'a' ? 'drained' : 'open');
    const { engine } = await world([A, B], { onLine: users }, { conditionOf });
    const all = await verifyAll(engine, many(300), { sourceOf: (index) => (index % 10 === 0 ? 'a' : null) });
    expect(all.map(({ evidence }) => evidence.source)).toEqual(numbered(300, (index) => (index % 10 ? 'b' : 'a')));
  });

  it('several sources of ours that are new name few recipients to an operator in a day, and leave the others to older ones', async () => {
    const clock = new ManualClock();
    const since = clock.now();
    const young = { ...A, since };
    const warmUpTable = { firstDay: 20, growth: 1.5, most: 1_000 };
    const askedBy = new Map<string, number>();
    const { engine } = await startMailWorld({
      smtp: {
        onLine: (line, connection) => {
          if (localPartOf(line) !== null) askedBy.set(connection.from, (askedBy.get(connection.from) ?? 0) + 1);
          return users(line, connection);
        },
      },
      ports: timedPorts(clock),
      engine: { sources: [young, B], warmUpTable },
    });
    const all = await verifyAll(engine, many(400));
    expect(new Set(all.map(verdictAndReason))).toEqual(new Set(['valid mailbox_exists']));
    expect(askedBy.get('127.0.1.1')).toBeLessThanOrEqual(20);
    expect(askedBy.get('127.0.2.1')).toBeGreaterThanOrEqual(380);
  });

  it('several sources of ours that are new begin at another pace where the operator has one of its own', async () => {
    const clock = new ManualClock();
    const pace = { firstDay: 20, growth: 1.5, most: 1_000 };
    const namedWith = async (operators: Readonly<Record<string, typeof pace>>): Promise<number> => {
      const { engine, smtp } = await startMailWorld({
        smtp: { onLine: users },
        ports: timedPorts(clock),
        engine: { sources: [{ ...A, since: clock.now() }], warmUpTable: { ...pace, operators } },
      });
      await verifyAll(engine, many(100));
      return smtp.recipients.length;
    };
    expect(await namedWith({ elsewhere: { ...pace, firstDay: 5 } })).toBe(20);
    expect(await namedWith({ 'mx.example.com': { ...pace, firstDay: 5 } })).toBe(5);
  });

  it('several sources of ours that are new and alone tell when they may ask again', async () => {
    const clock = new ManualClock();
    const { engine, smtp } = await startMailWorld({
      smtp: { onLine: users },
      ports: timedPorts(clock),
      engine: { sources: [{ ...A, since: clock.now() }], warmUpTable: { firstDay: 20, growth: 2, most: 1_000 } },
    });
    const all = await verifyAll(engine, many(100));
    expect(smtp.recipients.length).toBeLessThanOrEqual(20);
    const late = all.filter(({ verdict }) => verdict === 'unknown');
    expect(late.length).toBeGreaterThanOrEqual(80);
    expect(new Set(late.map(verdictAndReason))).toEqual(new Set(['unknown smtp_unreachable']));
    expect(late[0]!.evidence.text).toContain('being warmed up');
    expect(late[0]!.retryAfterSeconds).toBeLessThanOrEqual(86_400);
  });
});

describe('processes that share what they find out', () => {
  it('processes that share what they find out leave a source alone whose port 25 one of them has found closed, until one of them is answered', async () => {
    const clock = new ManualClock();
    const told: SharedBlock[] = [];
    const network = { open: false };
    const real = createSocketDialer();
    const dialer: Dialer = {
      connect: (target) =>
        network.open ? real.connect(target) : Promise.reject(new WireError('timeout', 'connection timed out')),
    };
    const zones = Object.fromEntries(
      numbered(2, (index) => index).flatMap((index) => [
        [`${index}.com`, { MX: [[0, `mx.${index}.com`]] }],
        [`mx.${index}.com`, { A: [`127.0.${index + 1}.1`] }],
      ]),
    ) as never;
    const start = () =>
      startMailWorld({
        zones,
        smtp: { onLine: mailboxes('jane') },
        ports: { ...timedPorts(clock), dialer, tellOthers: (block) => told.push(block) },
        engine: { sources: [A], knownDomains: ['0.com', '1.com'] },
      });
    const [{ engine: one }, { engine: other }] = await Promise.all([start(), start()]);
    await one.verify('jane@example.com', { budgetMs });
    expect(told).toMatchObject([{ operator: PORT_25, source: 'a 127.0.1.1', isOver: false }]);
    other.adopt(told);
    expect((await other.verify('jane@0.com', { budgetMs })).reason).toBe('port25_blocked');

    one.adopt([{ ...told[0]!, isOver: true }]);
    expect(one.sources()).not.toMatchObject([{ port25: { state: 'blocked' } }]);
  });
});
