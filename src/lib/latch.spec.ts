import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Latch } from './latch.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A promise and whether it has been kept yet. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  void promise.then(() => (done = true));
  await turn();
  return done;
}

describe('a latch', () => {
  it('a loop that waits wakes at the next notification and not before', async () => {
    const latch = new Latch();
    const waiting = latch.wait();
    expect(await isDone(waiting)).toBe(false);
    latch.notify();
    expect(await isDone(waiting)).toBe(true);
  });

  it('a notification that comes while the loop is busy is kept until it waits', async () => {
    const latch = new Latch();
    latch.notify();
    expect(await isDone(latch.wait())).toBe(true);
  });

  it('ten notifications are as good as one', async () => {
    const latch = new Latch();
    for (let i = 0; i < 10; i += 1) latch.notify();
    await latch.wait();
    expect(await isDone(latch.wait())).toBe(false);
  });

  it('a notification that woke the loop is used up', async () => {
    const latch = new Latch();
    const waiting = latch.wait();
    latch.notify();
    await waiting;
    expect(await isDone(latch.wait())).toBe(false);
  });

  it('a reset forgets an earlier notification and leaves a loop that waits alone', async () => {
    const latch = new Latch();
    latch.notify();
    latch.reset();
    const waiting = latch.wait();
    latch.reset();
    expect(await isDone(waiting)).toBe(false);
    latch.notify();
    expect(await isDone(waiting)).toBe(true);
  });

  it('a latch until returns at once when the condition is true, and else after the notification that finds it true', async () => {
    const latch = new Latch();
    let count = 1;
    await latch.until(() => count === 1);
    const waiting = latch.until(() => count === 3);
    count = 2;
    latch.notify();
    expect(await isDone(waiting)).toBe(false);
    count = 3;
    expect(await isDone(waiting)).toBe(false);
    latch.notify();
    expect(await isDone(waiting)).toBe(true);
  });

  it('a consumer gets every item, in order, whatever the turns that producer and consumer take', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 0, max: 12 }), async (scheduler, count) => {
        const latch = new Latch();
        const queue: number[] = [];
        const consumed: number[] = [];
        let isOver = false;
        const produce = scheduler.scheduleSequence([
          ...Array.from({ length: count }, (_, i) => async () => {
            queue.push(i);
            latch.notify();
          }),
          async () => {
            isOver = true;
            latch.notify();
          },
        ]);
        const consume = async (): Promise<void> => {
          for (;;) {
            await latch.until(() => queue.length > 0 || isOver);
            if (queue.length === 0) return;
            consumed.push(queue.shift()!);
            await scheduler.schedule(Promise.resolve());
          }
        };
        const consuming = consume();
        await scheduler.waitFor(Promise.all([produce.task, consuming]));
        expect(consumed).toEqual(Array.from({ length: count }, (_, i) => i));
      }),
    );
  });
});
