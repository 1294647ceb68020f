import { describe, expect, it } from 'vitest';

import { createSocketDialer, WireError } from '../../src/engine/verification/engine.js';
import { type EgressSource, type Dialer, type WireErrorKind } from '../../src/engine/ports.js';
import { budgetMs, mailboxes, numbered, verdictAndReason, verifyAll } from '../support/mail-scripts.js';
import { startMailWorld } from '../support/mail-world.js';
import { ManualClock, timedPorts } from '../support/manual-clock.js';

const KNOWN = ['google.test', 'outlook.test', 'icloud.test'];
/** A domain that has the mail hosts of all of these. */
const ALONE = 'alone.test';
const MINUTE = 60_000;
/** So often it is tried whether a closed port is open again. */
const RETRY_MS = 30_000;

interface Options {
  readonly startsOpen?: boolean;
  /** The domains that the service chooses itself. */
  readonly known?: readonly string[];
  readonly sources?: readonly EgressSource[];
}

/**
 * A network that swallows what goes out, as clouds do with port 25; no real one can be had on loopback. `127.0.1.x` are hosts that a caller
 * has named and that never answer, `127.0.0.1` is an honest one.
 */
async function closedWorld({ startsOpen = false, known = KNOWN, sources }: Options = {}) {
  const clock = new ManualClock();
  const network = {
    open: startsOpen,
    asked: [] as string[],
    told: 0,
    closedFor: 'nobody',
    says: 'timeout' as WireErrorKind,
    dead: [] as string[],
  };
  const attempts = (to: RegExp) => network.asked.filter((address) => to.test(address)).length;
  const real = createSocketDialer();
  const dialer: Dialer = {
    connect: (target) => {
      network.asked.push(target.address);
      const isClosed = !network.open || target.source?.address === network.closedFor;
      if (isClosed || target.address.startsWith('127.0.1.') || network.dead.includes(target.address))
        return Promise.reject(new WireError(network.says, 'no connection'));
      return real.connect(target);
    },
  };
  const hosts = (name: string, address: string) => [
    [name, { MX: [[0, `mx.${name}`]] }],
    [`mx.${name}`, { A: [address] }],
  ];
  const world = await startMailWorld({
    zones: Object.fromEntries([
      ...numbered(60, (index) => index).flatMap((index) => hosts(`${index}.com`, `127.0.1.${index + 1}`)),
      ...KNOWN.flatMap((name, index) => hosts(name, `127.${index + 1}.0.1`)),
      [ALONE, { MX: KNOWN.map((name, index) => [index, `mx.${name}`]) }],
      ...hosts('example.com', '127.0.0.1'),
    ]) as never,
    smtp: { onLine: mailboxes('jane') },
    ports: { ...timedPorts(clock), dialer },
    engine: {
      onPort25Blocked: () => (network.told += 1),
      ...(known.length > 0 && { knownDomains: known }),
      ...(sources && { sources }),
    },
  });
  for (const index of KNOWN.keys()) await world.addHost(`127.${index + 1}.0.1`);
  const ask = async (address: string) => verdictAndReason(await world.engine.verify(address, { budgetMs }));
  return { clock, network, attempts, ask, ...world };
}

const silentAddresses = numbered(60, (index) => `jane@${index}.com`);
const TO_SILENT = /^127\.0\.1\./;
const TO_OURS = /^127\.[123]\.0\.1$/;

describe('silent hosts that a caller has named', () => {
  it('silent hosts that a caller has named close port 25 for nobody, however many they are, when mail hosts of our own choosing answer', async () => {
    const { engine, ask, clock, network } = await closedWorld({ startsOpen: true });
    for (const address of silentAddresses.slice(0, 20)) expect(await ask(address)).toBe('unknown smtp_timeout');
    expect(engine.port25().state).toBe('open');
    expect(await ask('jane@example.com')).toBe('valid mailbox_exists');
    clock.advance(11 * MINUTE);
    const list = await verifyAll(engine, silentAddresses.slice(20));
    expect(new Set(list.map(verdictAndReason))).toEqual(new Set(['unknown smtp_timeout']));
    expect(await ask('john@example.com')).toBe('invalid mailbox_not_found');
    expect(network.told).toBe(0);
  });

  it('silent hosts that a caller has named make us ask one host of our own choosing a minute at most', async () => {
    const { engine, attempts, clock } = await closedWorld({ startsOpen: true });
    await verifyAll(engine, silentAddresses);
    expect(attempts(TO_OURS)).toBe(1);
    clock.advance(MINUTE);
    await verifyAll(engine, silentAddresses);
    expect(attempts(TO_OURS)).toBe(2);
  });

  it('silent hosts that a caller has named prove nothing where we know no hosts of our own choosing, or one only', async () => {
    for (const known of [[], KNOWN.slice(0, 1)]) {
      const { engine, network } = await closedWorld({ known });
      const list = await verifyAll(engine, silentAddresses);
      expect(new Set(list.map(verdictAndReason))).toEqual(new Set(['unknown smtp_timeout']));
      expect([engine.port25().state, network.told]).toEqual(['unknown', 0]);
    }
  });
});

describe('hosts that a caller has named and that refuse', () => {
  it('hosts that a caller has named and that refuse close port 25 for nobody, also where one of our own choosing refuses too', async () => {
    for (const known of [KNOWN, [ALONE]]) {
      const { engine, ask, network } = await closedWorld({ startsOpen: true, known });
      Object.assign(network, { says: 'refused', dead: ['127.1.0.1'] });
      for (const address of silentAddresses.slice(0, 20)) expect(await ask(address)).toBe('unknown smtp_unreachable');
      expect([engine.port25().state, network.told]).toEqual(['open', 0]);
      expect(await ask('jane@example.com')).toBe('valid mailbox_exists');
    }
  });

  it('hosts that a caller has named and that refuse prove nothing where the only host of our own choosing refuses too', async () => {
    const { engine, ask, network } = await closedWorld({ startsOpen: true, known: KNOWN.slice(0, 1) });
    Object.assign(network, { says: 'refused', dead: ['127.1.0.1'] });
    expect(await ask('jane@1.com')).toBe('unknown smtp_unreachable');
    expect([engine.port25().state, network.told]).toEqual(['unknown', 0]);
    expect(await ask('jane@example.com')).toBe('valid mailbox_exists');
  });
});

describe.each(['timeout', 'refused'] as const)('a port 25 where every connection ends with %s', (says) => {
  it.each([
    ['several domains', KNOWN],
    ['one domain with hosts in several networks', [ALONE]],
  ])(
    'a port 25 where every connection ends alike is closed where we know %s, and open when one of their hosts answers',
    async (_, known) => {
      const { engine, ask, clock, network } = await closedWorld({ known });
      network.says = says;
      expect(await ask('jane@1.com')).toBe('unknown port25_blocked');
      expect(await ask('jane@example.com')).toBe('unknown port25_blocked');
      expect([engine.port25().state, network.told]).toEqual(['blocked', 1]);
      Object.assign(network, { open: true, dead: ['127.1.0.1'] });
      clock.advance(RETRY_MS);
      await expect.poll(() => engine.port25().state).toBe('open');
      expect(await ask('jane@example.com')).toBe('valid mailbox_exists');
    },
  );
});

describe('a closed port 25', () => {
  it('a closed port 25 is told for the first host that is silent already, once, and nobody is asked any more', async () => {
    const { ask, attempts, network } = await closedWorld();
    for (const address of silentAddresses.slice(0, 20)) expect(await ask(address)).toBe('unknown port25_blocked');
    expect([attempts(TO_SILENT), attempts(TO_OURS), network.told]).toEqual([1, KNOWN.length, 1]);
  });

  it('a closed port 25 costs a long list no timeout for each host', async () => {
    const { engine, network, attempts } = await closedWorld();
    const list = await verifyAll(engine, silentAddresses);
    expect(new Set(list.map(verdictAndReason))).toEqual(new Set(['unknown port25_blocked']));
    const before = attempts(TO_SILENT);
    await verifyAll(engine, silentAddresses);
    expect([attempts(TO_SILENT) - before, network.told]).toEqual([0, 1]);
  });

  it('a closed port 25 is tried each half minute at hosts of our own choosing and at no others, and told open without a question', async () => {
    const { engine, ask, clock, attempts, network } = await closedWorld();
    await verifyAll(engine, silentAddresses);
    const before = { silent: attempts(TO_SILENT), ours: attempts(TO_OURS) };
    clock.advance(RETRY_MS);
    await clock.armed(RETRY_MS);
    expect(await ask('jane@example.com')).toBe('unknown port25_blocked');
    expect(attempts(TO_SILENT)).toBe(before.silent);
    expect(attempts(TO_OURS) - before.ours).toBe(KNOWN.length);
    network.open = true;
    clock.advance(RETRY_MS);
    await expect.poll(() => engine.port25().state).toBe('open');
    expect(await ask('jane@example.com')).toBe('valid mailbox_exists');
    expect(await ask('john@example.com')).toBe('invalid mailbox_not_found');
    expect(network.told).toBe(1);
  });

  it('a closed port 25 that closes in the middle is told within a minute, and all is right half a minute after it opened again', async () => {
    const { engine, ask, clock, network } = await closedWorld({ startsOpen: true });
    expect(await ask('jane@example.com')).toBe('valid mailbox_exists');
    network.open = false;
    // The connection is kept for so long.
    await clock.armed(5_000);
    clock.advance(5_000);
    // The last answer is younger than a minute.
    expect(await ask('jane@1.com')).toBe('unknown smtp_timeout');
    clock.advance(MINUTE);
    const closed = await verifyAll(engine, ['john@example.com', 'jane@example.com', 'jane@2.com']);
    expect(closed.map(verdictAndReason)).toEqual(closed.map(() => 'unknown port25_blocked'));
    network.open = true;
    clock.advance(RETRY_MS);
    await expect.poll(() => engine.port25().state).toBe('open');
    const open = await verifyAll(engine, ['john@example.com', 'jane@example.com', 'jane@2.com']);
    expect(open.map(verdictAndReason)).toEqual([
      'invalid mailbox_not_found',
      'valid mailbox_exists',
      'unknown smtp_timeout',
    ]);
  });

  it('a closed port 25 of one source is tried again although another one asks meanwhile', async () => {
    const source = {
      socks5: null,
      helo: 'us.example',
      mailFrom: '',
      region: null,
      weight: 1,
      since: null,
      operators: null,
    };
    const sources = [
      { ...source, name: 'a', address: '127.0.0.5' },
      { ...source, name: 'b', address: '127.0.0.6' },
    ];
    const { engine, clock, network } = await closedWorld({ startsOpen: true, sources });
    network.closedFor = '127.0.0.5';
    const states = () => engine.sources().map(({ port25 }) => port25.state);
    await verifyAll(engine, silentAddresses);
    await expect.poll(states).toEqual(['blocked', 'open']);
    network.closedFor = 'nobody';
    clock.advance(RETRY_MS);
    await expect.poll(states).toEqual(['open', 'open']);
  });
});
