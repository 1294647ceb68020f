import { describe, expect, it } from 'vitest';

import { held } from '../support/held.js';
import { budgetMs, recipientOf, verdictAndReason, verifyAll } from '../support/mail-scripts.js';
import { startMailWorld } from '../support/mail-world.js';

const zones = Object.fromEntries(
  ['two', 'three', 'four'].flatMap((name, i) => [
    [`${name}.com`, { MX: [[10, `mx.${name}.com`]] }],
    [`mx.${name}.com`, { A: [`127.0.0.${i + 2}`] }],
  ]),
);

/** An engine with one socket, which a list holds until `release` is called, and the recipients that hosts were asked about. */
async function startBusyWorld() {
  const asked: string[] = [];
  const first = held<undefined>();
  const onLine = (line: string) => {
    const recipient = recipientOf(line);
    if (recipient === null) return undefined;
    // Control probes have made-up names.
    if (/^(list|single)@/.test(recipient)) asked.push(recipient);
    return recipient === 'list@example.com' ? first.promise : undefined;
  };
  const world = await startMailWorld({ zones: { ...zones }, smtp: { onLine }, engine: { maxSockets: 1 } });
  for (const host of ['127.0.0.2', '127.0.0.3', '127.0.0.4']) await world.addHost(host, { onLine });
  const list = verifyAll(world.engine, ['list@example.com'], { turn: 'a' });
  await world.smtp.until(() => world.smtp.recipients.length === 1);
  return { ...world, asked, list, release: () => first.resolve(undefined) };
}

describe('a single verification', () => {
  it('a single verification waits behind no list that waits for a socket', async () => {
    const { engine, asked, list, release } = await startBusyWorld();
    const lists = [list, verifyAll(engine, ['list@two.com', 'list@three.com'], { turn: 'a' })];
    // Both are known by then, and their routes wait.
    await engine.mailOperators(['two.com', 'three.com'], { patienceMs: budgetMs, turn: 'a' });
    const single = engine.verify('single@four.com', { budgetMs });
    await engine.mailOperators(['four.com'], { patienceMs: budgetMs, turn: 'a' });
    release();
    expect(verdictAndReason(await single)).toMatch(/^(valid|risky) /);
    await Promise.all(lists);
    expect(asked.slice(0, 2)).toEqual(['list@example.com', 'single@four.com']);
  });

  it('a single verification hastens a route that waits already, in the turn of a list', async () => {
    const { engine, asked, list, release } = await startBusyWorld();
    const lists = [list, verifyAll(engine, ['list@two.com', 'list@three.com'], { turn: 'a' })];
    await engine.mailOperators(['two.com', 'three.com'], { patienceMs: budgetMs, turn: 'a' });
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const single = engine.verify('single@three.com', { budgetMs });
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    release();
    await Promise.all([single, ...lists]);
    expect(asked).toEqual(['list@example.com', 'single@three.com', 'list@three.com', 'list@two.com']);
  });

  it('a single verification finds a socket although a list has many hosts that accept connections and say nothing, as does a list of another account', async () => {
    const silent = Array.from({ length: 12 }, (_, i) => ({ domain: `silent${i}.com`, host: `127.0.1.${i + 1}` }));
    const { engine, smtp, addHost } = await startMailWorld({
      zones: Object.fromEntries(
        silent.flatMap(({ domain, host }) => [
          [domain, { MX: [[10, `mx.${domain}`]] }],
          [`mx.${domain}`, { A: [host] }],
        ]),
      ),
      engine: { maxSockets: 10 },
    });
    const tarpits = await Promise.all(silent.map(({ host }) => addHost(host, { onConnect: () => null })));
    const hangUp = new AbortController();
    const list = verifyAll(
      engine,
      silent.map(({ domain }) => `list@${domain}`),
      { turn: 'a', signal: hangUp.signal },
    ).catch(() => undefined);
    await expect.poll(() => tarpits.filter(({ connections }) => connections.length > 0).length).toBe(7);
    expect((await engine.verify('single@example.com', { budgetMs: 5_000 })).reason).toBe('catch_all');
    const [other] = await verifyAll(engine, ['list@example.com'], { turn: 'b' });
    expect(other!.reason).toBe('catch_all');
    expect(smtp.recipients).toContain('single@example.com');
    hangUp.abort();
    await list;
  });
});
