import { describe, expect, it } from 'vitest';

import { budgetMs, mailboxes, verdictAndReason, verifyAll } from '../support/mail-scripts.js';
import { startMailWorld } from '../support/mail-world.js';

const zones = {
  'example.org': { MX: [[10, 'mx.example.org']] as const },
  'mx.example.org': { A: ['127.0.0.2'] },
};

describe('a connection after its last question', () => {
  it('a connection after its last question is kept for the next single verification', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: { onLine: mailboxes('jane', 'john') } });
    await engine.verify('jane@example.com', { budgetMs });
    expect(verdictAndReason(await engine.verify('john@example.com', { budgetMs }))).toBe('valid mailbox_exists');
    expect(smtp.connections).toHaveLength(1);
  });

  it('a connection after its last question is closed at once when another host needs its permit', async () => {
    const { engine, smtp, addHost } = await startMailWorld({
      zones,
      smtp: { onLine: mailboxes('jane') },
      engine: { maxSockets: 1 },
    });
    const other = await addHost('127.0.0.2', { onLine: mailboxes('jane') });
    await engine.verify('jane@example.com', { budgetMs });
    expect(verdictAndReason(await engine.verify('jane@example.org', { budgetMs: 2_000 }))).toBe('valid mailbox_exists');
    expect([smtp.connections.length, other.connections.length]).toEqual([1, 1]);
    expect(smtp.connections[0]!.lines.at(-1)).toBe('QUIT');
  });

  it('a connection after its last question is not kept for a list, whose next address is for another host', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: { onLine: mailboxes('jane') } });
    await verifyAll(engine, ['jane@example.com', 'nobody@example.com']);
    await smtp.until(() => smtp.connections.every(({ closed }) => closed));
    expect(smtp.connections[0]!.lines.at(-1)).toBe('QUIT');
  });
});

describe('a connection of a list that wants it kept', () => {
  it('a connection of a list that wants it kept serves the next list, and is closed when its time is over', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: { onLine: mailboxes('jane', 'john') } });
    await verifyAll(engine, ['jane@example.com'], { keepWarmMs: 300 });
    await verifyAll(engine, ['john@example.com'], { keepWarmMs: 300 });
    expect(smtp.connections).toHaveLength(1);
    await smtp.until(() => smtp.connections.every(({ closed }) => closed));
    expect(smtp.connections[0]!.lines.at(-1)).toBe('QUIT');
  });

  it('a connection of a list that wants it kept makes way for another host that needs its permit', async () => {
    const { engine, smtp, addHost } = await startMailWorld({
      zones,
      smtp: { onLine: mailboxes('jane') },
      engine: { maxSockets: 1 },
    });
    const other = await addHost('127.0.0.2', { onLine: mailboxes('jane') });
    await verifyAll(engine, ['jane@example.com'], { keepWarmMs: 60_000 });
    await verifyAll(engine, ['jane@example.org'], { keepWarmMs: 60_000 });
    expect([smtp.connections.length, other.connections.length]).toEqual([1, 1]);
  });
});

describe('an engine that was closed', () => {
  it('an engine that was closed answers unknown and connects to nobody', async () => {
    const { engine, smtp } = await startMailWorld();
    engine.close();
    expect(verdictAndReason(await engine.verify('jane@example.com', { budgetMs }))).toBe('unknown temporary_failure');
    expect(smtp.connections).toHaveLength(0);
  });
});
