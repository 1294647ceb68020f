import { describe, expect, it } from 'vitest';
import { Hold } from '../../src/lib/hold.js';
import type { VerifyManyOptions } from '../../src/engine/verification/engine.js';
import { held } from '../support/held.js';
import { numbered, recipientOf } from '../support/mail-scripts.js';
import { startMailWorld } from '../support/mail-world.js';

const COUNT = 300;
const oneTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** 300 addresses at two hosts that answer nothing before `answer` is called; held up when the first have been named. */
async function heldUp(options: VerifyManyOptions = {}) {
  const hold = new Hold();
  const answers = held<undefined>();
  const { engine, smtp } = await startMailWorld({
    zones: {
      'a.com': { MX: [[10, 'a.hosts.com']] },
      'b.com': { MX: [[10, 'b.hosts.com']] },
      '*.hosts.com': { A: ['127.0.0.1'] },
    },
    smtp: {
      onLine: async (line) => {
        const recipient = recipientOf(line);
        if (recipient === null) return undefined;
        await answers.promise;
        return recipient.startsWith('user') ? undefined : '550 5.1.1 User unknown';
      },
    },
  });
  const addresses = numbered(COUNT, (i) => `user${i}@${i % 2 === 0 ? 'a' : 'b'}.com`);
  const order: number[] = [];
  const reading = (async () => {
    for await (const { index } of engine.verifyMany(addresses, { ...options, hold, maxInFlight: 200 }))
      order.push(index);
  })();
  await smtp.until(() => smtp.recipients.length >= 20);
  hold.set(true);
  const named = () => smtp.recipients.filter((recipient) => recipient.startsWith('user'));
  return { hold, order, reading, named, answer: () => answers.resolve(undefined) };
}

describe('a list that is held up', () => {
  it('a list that is held up names nobody more, takes the answers of those it has named, and asks each of the others once when it goes on', async () => {
    const { hold, order, reading, named, answer } = await heldUp();
    answer();
    // Connections that were being opened have time to do what they do.
    for (let before = -1; before !== order.length || order.length < named().length; await oneTurn()) {
      before = order.length;
      for (let i = 0; i < 50; i++) await oneTurn();
    }
    const asked = named().length;
    expect(order).toHaveLength(asked);
    expect(asked).toBeLessThan(200);
    hold.set(false);
    await reading;
    expect(order.toSorted((a, b) => a - b)).toEqual(numbered(COUNT, (i) => i));
    expect(new Set(named()).size).toBe(COUNT);
    expect(named()).toHaveLength(COUNT);
  });

  it('a list that is held up asks nothing about those that nobody wants any more when it goes on, and ends without them', async () => {
    const { hold, order, reading, named, answer } = await heldUp({ resume: (index) => index >= 150 });
    answer();
    hold.set(false);
    await reading;
    const asked = new Set(named());
    const isAsked = numbered(COUNT, (i) => asked.has(`user${i}@${i % 2 === 0 ? 'a' : 'b'}.com`));
    expect(isAsked.slice(150)).not.toContain(false);
    expect(isAsked.slice(0, 150)).toContain(false);
    expect(isAsked).toEqual(numbered(COUNT, (i) => order.includes(i)));
    expect(named()).toHaveLength(asked.size);
  });

  it('a list that is held up that is held up from its begin asks nobody until it goes on', async () => {
    const { engine, smtp } = await startMailWorld();
    const hold = new Hold();
    hold.set(true);
    const found: number[] = [];
    const reading = (async () => {
      for await (const { index } of engine.verifyMany(['a@example.com', 'b@example.com'], { hold })) found.push(index);
    })();
    for (let i = 0; i < 50; i++) await oneTurn();
    expect([smtp.connections.length, found]).toEqual([0, []]);
    hold.set(false);
    await reading;
    expect(found).toHaveLength(2);
  });
});
