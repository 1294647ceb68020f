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
  it('waits behind no list that waits for a socket', async () => {
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

  it('hastens a route that waits already, in the turn of a list', async () => {
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
});
