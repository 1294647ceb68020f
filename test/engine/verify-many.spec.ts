import { describe, expect, it } from 'vitest';

import type { Verified } from '../../src/engine/verification/engine.js';
import type { DnsReply } from '../support/dns-server.js';
import { held } from '../support/held.js';
import { localPartOf, mailboxes, numbered, recipientOf, verdictAndReason, verifyAll } from '../support/mail-scripts.js';
import { startMailWorld } from '../support/mail-world.js';
import { ManualClock, timedPorts } from '../support/manual-clock.js';

const oneTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What the mail host of a domain `N.<kind>.com` is, and what that makes of its addresses. */
const KINDS = {
  honest: { there: 'valid mailbox_exists', gone: 'invalid mailbox_not_found' },
  full: { there: 'risky mailbox_full', gone: 'invalid mailbox_not_found' },
  every: { there: 'risky catch_all', gone: 'risky catch_all' },
  grey: { there: 'unknown greylisted', gone: 'unknown greylisted' },
  blocks: { there: 'unknown ip_blocked', gone: 'unknown ip_blocked' },
  null: { there: 'invalid null_mx', gone: 'invalid null_mx' },
  broken: { there: 'unknown dns_error', gone: 'unknown dns_error' },
  none: { there: 'invalid domain_not_found', gone: 'invalid domain_not_found' },
  yahoo: { there: 'unknown provider_hides_mailboxes', gone: 'unknown provider_hides_mailboxes' },
  microsoft: { there: 'valid mailbox_exists', gone: 'invalid mailbox_not_found' },
} as const;

type Kind = keyof typeof KINDS;

function zonesOf(domains: readonly string[]): Record<string, DnsReply> {
  const hosts: Partial<Record<Kind, (name: string) => string>> = {
    yahoo: () => 'mta5.am0.yahoodns.net',
    microsoft: (name) => `${name}.mail.protection.outlook.com`,
  };
  const zones: Record<string, DnsReply> = {
    '*.hosts.com': { A: ['127.0.0.1'] },
    '*.mail.protection.outlook.com': { A: ['127.0.0.1'] },
  };
  for (const domain of domains) {
    const [name, kind] = domain.split('.') as [string, Kind];
    if (kind === 'null') zones[domain] = { MX: [[0, '.']] };
    else if (kind === 'broken') zones[domain] = 'servfail';
    else if (kind !== 'none') zones[domain] = { MX: [[10, hosts[kind]?.(name) ?? `${name}.hosts.com`]] };
  }
  return zones;
}

function answerTo(line: string): string | undefined {
  const recipient = recipientOf(line);
  if (recipient === null) return undefined;
  const [localPart = '', domain = ''] = recipient.split('@');
  const kind = domain.split('.')[1];
  if (kind === 'every') return undefined;
  if (kind === 'grey') return '451 4.7.1 Greylisted, please come back later';
  if (kind === 'blocks') return '554 5.7.1 Client host blocked using zen.spamhaus.org';
  if (localPart.startsWith('there')) return kind === 'full' ? '552 5.2.2 Mailbox full' : undefined;
  return '550 5.1.1 User unknown';
}

describe('many addresses', () => {
  it('5,000 over 300 domains of ten kinds: each gets its verdict, exactly one', async () => {
    const kinds = Object.keys(KINDS) as Kind[];
    const domains = numbered(300, (index) => `${index}.${kinds[index % 10]!}.com`);
    const { engine, smtp } = await startMailWorld({ zones: zonesOf(domains), smtp: { onLine: answerTo } });
    const addresses = numbered(5_000, (index) => {
      // Two thirds of a domain's addresses are there; a few addresses come twice.
      return `${index % 3 === 0 ? 'gone' : 'there'}${index % 4_990}@${domains[(index * 7) % 300]!}`;
    });
    const all = await verifyAll(engine, addresses);
    const wrong = all.filter((verification, index) => {
      const [localPart = '', domain = ''] = addresses[index]!.split('@');
      const truth = KINDS[domain.split('.')[1] as Kind][localPart.startsWith('gone') ? 'gone' : 'there'];
      return verification.email !== addresses[index] || verdictAndReason(verification) !== truth;
    });
    expect(wrong.map((verification) => `${verification.email}: ${verdictAndReason(verification)}`)).toEqual([]);
    expect(all).toHaveLength(5_000);
    // 2,500 addresses are asked about at 150 hosts, with 8 refusals a connection.
    expect(smtp.connections.length).toBeLessThan(900);
  });

  it('many addresses gives each of two equal addresses its verdict', async () => {
    const { engine } = await startMailWorld({ smtp: { onLine: mailboxes('jane') } });
    const all = await verifyAll(engine, ['jane@example.com', 'x', 'jane@example.com', '', 'jane@example.com']);
    expect(all.map(verdictAndReason)).toEqual([
      'valid mailbox_exists',
      'invalid invalid_syntax',
      'valid mailbox_exists',
      'invalid invalid_syntax',
      'valid mailbox_exists',
    ]);
  });

  it('many addresses ends at once without any', async () => {
    const { engine } = await startMailWorld();
    expect(await verifyAll(engine, [])).toEqual([]);
  });

  async function withSlowHost() {
    const slow = held<undefined>();
    const { engine } = await startMailWorld({
      zones: { 'slow.com': { MX: [[0, 'mx.slow.com']] }, 'mx.slow.com': { A: ['127.0.0.1'] } },
      smtp: {
        onLine: async (line, connection) => {
          if (line.endsWith('@slow.com>')) await slow.promise;
          return mailboxes()(line, connection);
        },
      },
    });
    return { engine, slow };
  }

  it('many addresses come as they are answered: a slow host does not hold up the others', async () => {
    const { engine, slow } = await withSlowHost();
    const order: number[] = [];
    for await (const { index } of engine.verifyMany(['x@slow.com', 'a@example.com', 'b@example.com'])) {
      order.push(index);
      if (order.length === 2) slow.resolve(undefined);
    }
    expect(new Set(order)).toEqual(new Set([0, 1, 2]));
    expect(order).toHaveLength(3);
    expect(order.at(-1)).toBe(0);
  });

  it('many addresses go on while a slow host has most of the addresses in flight', async () => {
    const { engine, slow } = await withSlowHost();
    const addresses = [...numbered(8, (i) => `user${i}@slow.com`), ...numbered(40, (i) => `user${i}@example.com`)];
    const order: number[] = [];
    for await (const { index } of engine.verifyMany(addresses, { maxInFlight: 10 })) {
      order.push(index);
      if (order.length === 40) slow.resolve(undefined);
    }
    expect(order.slice(40).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('many addresses are read only as far as the verdicts are', async () => {
    const { engine } = await startMailWorld({ smtp: { onLine: mailboxes() } });
    let given = 0;
    async function* input() {
      while (given < 500) yield `user${(given += 1)}@${given % 2 === 0 ? 'example.com' : 'nowhere.com'}`;
    }
    let read = 0;
    for await (const { verification } of engine.verifyMany(input(), { maxInFlight: 20 })) {
      expect(verification.verdict).toBe('invalid');
      expect(given - read).toBeLessThanOrEqual(21);
      read += 1;
      // A reader slower than the engine.
      await oneTurn();
    }
    expect(read).toBe(500);
  });

  it('many addresses of hidden mailboxes leave no route behind that would let more addresses be in flight', async () => {
    const clock = new ManualClock();
    const yahoo = (index: number): DnsReply => ({
      MX: [
        [10, 'mta5.am0.yahoodns.net'],
        [20, `mx.${index}.evil.com`],
      ],
    });
    const { engine } = await startMailWorld({
      zones: Object.fromEntries(numbered(5, (index) => [`${index}.evil.com`, yahoo(index)])),
      smtp: { onLine: (line) => (recipientOf(line) === null ? undefined : null) },
      ports: timedPorts(clock),
    });
    const hidden = await verifyAll(
      engine,
      numbered(5, (index) => `jane@${index}.evil.com`),
    );
    expect(new Set(hidden.map(verdictAndReason))).toEqual(new Set(['unknown provider_hides_mailboxes']));
    await oneTurn();
    let given = 0;
    function* input() {
      while (given < 1_000) yield `user${(given += 1)}@example.com`;
    }
    const controller = new AbortController();
    const running = verifyAll(engine, input(), { signal: controller.signal });
    await clock.armed(50);
    expect(given).toBe(400);
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
  });

  it('many addresses are read further when more mail hosts are known, although none has answered yet', async () => {
    const clock = new ManualClock();
    const slowDns = held<undefined>();
    const silent = (line: string) => (recipientOf(line) === null ? undefined : null);
    const ports = timedPorts(clock);
    const { engine, smtp } = await startMailWorld({
      smtp: { onLine: silent },
      ports: {
        ...ports,
        resolver: {
          mx: async (domain) => {
            await slowDns.promise;
            return { outcome: 'found', records: [{ exchange: `mx.${domain}`, preference: 10 }], ttlSeconds: 300 };
          },
          a: () => Promise.resolve({ outcome: 'found', records: ['127.0.0.1'], ttlSeconds: 300 }),
          aaaa: () => Promise.resolve({ outcome: 'nodata' }),
        },
      },
    });
    let given = 0;
    function* input() {
      while (given < 600) yield `user@${(given += 1) % 10}.example.com`;
    }
    const controller = new AbortController();
    const running = verifyAll(engine, input(), { signal: controller.signal });
    await clock.armed(50);
    clock.advance(50);
    await oneTurn();
    expect(given).toBe(400);
    slowDns.resolve(undefined);
    await smtp.until(() => smtp.recipients.length > 0);
    clock.advance(50);
    await oneTurn();
    expect(given).toBe(600);
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
  });

  it('many addresses of a list are read only as far as the verdicts are, too', async () => {
    const { engine } = await startMailWorld();
    let given = 0;
    function* input() {
      while (given < 500) yield `no address ${(given += 1)}`;
    }
    let read = 0;
    for await (const { index } of engine.verifyMany(input(), { maxInFlight: 5 })) {
      expect(index).toBe(read);
      expect(given - read).toBeLessThanOrEqual(6);
      read += 1;
    }
    expect(read).toBe(500);
  });
});

describe('a run that ends early', () => {
  async function world() {
    const clock = new ManualClock();
    const silent = (line: string) => (localPartOf(line) === null ? undefined : null);
    const started = await startMailWorld({ smtp: { onLine: silent }, ports: timedPorts(clock) });
    const { smtp } = started;
    const isAsking = () => smtp.until(() => smtp.recipients.length > 0);
    const becomesQuiet = async () => {
      await smtp.until(() => smtp.connections.every(({ closed }) => closed));
      for (let turn = 0; turn < 20; turn += 1) await oneTurn();
      expect(clock.pending).toBe(0);
    };
    return { clock, isAsking, becomesQuiet, ...started };
  }

  const addresses = numbered(100, (index) => `user${index}@example.com`);

  it('a run that ends early by its signal rejects with the reason and closes everything', async () => {
    const { engine, isAsking, becomesQuiet } = await world();
    const controller = new AbortController();
    const running = verifyAll(engine, addresses, { signal: controller.signal });
    await isAsking();
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    await becomesQuiet();
  });

  it('a run that ends early by a signal that was given before it began opens nothing', async () => {
    const { engine, smtp } = await world();
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(verifyAll(engine, addresses, { signal })).rejects.toThrow('too late');
    for (let turn = 0; turn < 20; turn += 1) await oneTurn();
    expect(smtp.connections).toHaveLength(0);
  });

  it('a run that ends early by its signal does not wait for an input that never goes on', async () => {
    const { engine, isAsking, becomesQuiet } = await world();
    async function* stuck() {
      yield* addresses;
      await new Promise(() => {});
    }
    const controller = new AbortController();
    const running = verifyAll(engine, stuck(), { signal: controller.signal });
    await isAsking();
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    await becomesQuiet();
  });

  it('a run that ends early because the reader stops closes the input and everything open', async () => {
    const { engine, isAsking, becomesQuiet } = await world();
    const closed = held<undefined>();
    async function* input() {
      try {
        yield 'no address';
        await isAsking();
        yield* addresses;
      } finally {
        closed.resolve(undefined);
      }
    }
    const verified: Verified[] = [];
    for await (const item of engine.verifyMany(many(input()), { maxInFlight: 50 })) {
      verified.push(item);
      await isAsking();
      break;
    }
    expect(verified).toHaveLength(1);
    await closed.promise;
    await becomesQuiet();

    async function* many(rest: AsyncIterable<string>) {
      yield* addresses.slice(0, 10);
      yield* rest;
    }
  });

  it('a run that ends early because the input fails rejects with its error and closes everything', async () => {
    const { engine, isAsking, becomesQuiet } = await world();
    async function* input() {
      yield* addresses;
      await isAsking();
      throw new Error('the file is gone');
    }
    await expect(verifyAll(engine, input())).rejects.toThrow('the file is gone');
    await becomesQuiet();
  });

  it('a run that ends early because the input fails gives the verdicts that are ready before its error', async () => {
    const { engine } = await world();
    const isReading = held<undefined>();
    async function* input() {
      yield 'no address';
      await isReading.promise;
      yield* ['nor this', 'nor that'];
      throw new Error('the file is gone');
    }
    const read: number[] = [];
    const running = (async () => {
      for await (const { index } of engine.verifyMany(input())) {
        read.push(index);
        isReading.resolve(undefined);
        // The input fails while the reader is busy.
        await oneTurn();
      }
    })();
    await expect(running).rejects.toThrow('the file is gone');
    expect(read).toEqual([0, 1, 2]);
  });

  it('a run that ends early does not take a single verification at the same host with it', async () => {
    const { engine, clock, smtp, isAsking } = await world();
    const controller = new AbortController();
    const running = verifyAll(engine, addresses, { signal: controller.signal });
    await isAsking();
    const single = engine.verify('jane@example.com', { budgetMs: 15_000 });
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    clock.advance(15_000);
    expect((await single).verdict).toBe('unknown');
    await smtp.until(() => smtp.connections.every(({ closed }) => closed));
  });
});
