import { describe, expect, it } from 'vitest';

import { createSocketDialer, WireError, type Dialer } from '../../src/engine/index.js';
import { budgetMs, mailboxes, numbered, verdictAndReason, verifyAll } from '../support/mail-scripts.js';
import { startMailWorld } from '../support/mail-world.js';
import { ManualClock, timedPorts } from '../support/manual-clock.js';

/** A network that swallows what goes out, as clouds do with port 25; no real one can be had on loopback. */
async function closedWorld(options: { startsOpen?: boolean } = {}) {
  const clock = new ManualClock();
  const network = { open: options.startsOpen ?? false, attempts: 0, told: 0 };
  const real = createSocketDialer();
  const dialer: Dialer = {
    connect: (target) => {
      network.attempts += 1;
      return network.open ? real.connect(target) : Promise.reject(new WireError('timeout', 'connection timed out'));
    },
  };
  const zones = Object.fromEntries(
    numbered(50, (index) => index).flatMap((index) => [
      [`${index}.com`, { MX: [[0, `mx.${index}.com`]] }],
      [`mx.${index}.com`, { A: [`127.0.1.${index}`] }],
    ]),
  );
  const world = await startMailWorld({
    zones: {
      ...zones,
      'example.com': { MX: [[0, 'mx.example.com']] },
      'mx.example.com': { A: ['127.0.0.1'] },
    } as never,
    smtp: { onLine: mailboxes('jane') },
    ports: { ...timedPorts(clock), dialer },
    engine: { onPort25Blocked: () => (network.told += 1) },
  });
  return { clock, network, ...world };
}

const addresses = numbered(50, (index) => `jane@${index}.com`);

describe('a closed port 25', () => {
  it('is concluded from five silent hosts, reported once, and not run into again', async () => {
    const { engine, network } = await closedWorld();
    for (const [index, address] of addresses.slice(0, 20).entries()) {
      const verification = await engine.verify(address, { budgetMs });
      expect(verdictAndReason(verification)).toBe(index < 4 ? 'unknown smtp_timeout' : 'unknown port25_blocked');
    }
    expect(network).toMatchObject({ attempts: 5, told: 1 });
  });

  it('does not cost a long list a timeout for each host', async () => {
    const { engine, network } = await closedWorld();
    await verifyAll(engine, addresses);
    const { attempts } = network;
    const later = await verifyAll(engine, addresses);
    // The first four hosts are remembered as silent for half a minute.
    expect(
      later.filter((verification) => verdictAndReason(verification) === 'unknown port25_blocked').length,
    ).toBeGreaterThan(45);
    expect(network.attempts).toBe(attempts);
    expect(network.told).toBe(1);
    expect(network.attempts).toBeLessThanOrEqual(50);
  });

  it('is tested again once a minute, and believed open as soon as one host answers', async () => {
    const { engine, clock, network } = await closedWorld();
    await verifyAll(engine, addresses);
    const { attempts } = network;
    clock.advance(60_000);
    await verifyAll(engine, addresses);
    expect(network.attempts - attempts).toBe(1);
    network.open = true;
    clock.advance(60_000);
    expect(verdictAndReason(await engine.verify('jane@example.com', { budgetMs }))).toBe('valid mailbox_exists');
    expect(verdictAndReason(await engine.verify('john@example.com', { budgetMs }))).toBe('invalid mailbox_not_found');
    expect(network.told).toBe(1);
  });

  it('is not concluded where one host answers, if only by a refusal', async () => {
    const { engine, network } = await closedWorld({ startsOpen: true });
    await engine.verify('jane@example.com', { budgetMs });
    network.open = false;
    const all = await verifyAll(engine, addresses.slice(0, 4));
    expect(new Set(all.map(verdictAndReason))).toEqual(new Set(['unknown smtp_timeout']));
    network.open = true;
    expect(verdictAndReason(await engine.verify('jane@9.com', { budgetMs }))).toBe('unknown smtp_unreachable');
    network.open = false;
    await verifyAll(engine, addresses.slice(10, 14));
    expect(network.told).toBe(0);
  });

  it('is not concluded from one host that is silent on five occasions', async () => {
    const { engine, clock, network } = await closedWorld();
    for (let occasion = 0; occasion < 8; occasion += 1) {
      expect(verdictAndReason(await engine.verify('jane@1.com', { budgetMs }))).toBe('unknown smtp_timeout');
      clock.advance(31_000);
    }
    expect(network.told).toBe(0);
  });
});
