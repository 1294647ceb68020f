import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Permit, Semaphore } from './semaphore.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A permit that is free now; null when there is none. */
async function freePermit(semaphore: Semaphore): Promise<Permit | null> {
  const controller = new AbortController();
  const permit = semaphore.acquire(controller.signal).catch(() => null);
  await turn();
  controller.abort();
  return permit;
}

describe('a semaphore', () => {
  it('a semaphore gives permits at once while some are free, and then to the waiter that has waited longest', async () => {
    const semaphore = new Semaphore(2);
    const held = [await semaphore.acquire(), await semaphore.acquire()];
    expect(await freePermit(semaphore)).toBeNull();
    const order: string[] = [];
    const waiting = ['first', 'second'].map(async (name) => {
      const permit = await semaphore.acquire();
      order.push(name);
      return permit;
    });
    held[0]!.release();
    const first = await waiting[0]!;
    expect(order).toEqual(['first']);
    first.release();
    await waiting[1];
    expect(order).toEqual(['first', 'second']);
  });

  it('a semaphore lets nobody overtake: a released permit belongs to the waiter before the next line runs', async () => {
    const semaphore = new Semaphore(1);
    const held = await semaphore.acquire();
    const waiting = semaphore.acquire();
    held.release();
    expect(await freePermit(semaphore)).toBeNull();
    (await waiting).release();
    expect(await freePermit(semaphore)).not.toBeNull();
  });

  it('a semaphore keeps no permit and no turn for a waiter that is cancelled, before or while it waits', async () => {
    const semaphore = new Semaphore(1);
    const leaves = new AbortController();
    const held = await semaphore.acquire();
    const waiting = semaphore.acquire(leaves.signal);
    const next = semaphore.acquire();
    leaves.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(semaphore.acquire(leaves.signal)).rejects.toThrow('gone');
    held.release();
    (await next).release();
    expect(await freePermit(semaphore)).not.toBeNull();
  });

  it('a semaphore leaves a permit with its holder when the signal is aborted after it was handed over', async () => {
    const semaphore = new Semaphore(1);
    const controller = new AbortController();
    const held = await semaphore.acquire();
    const waiting = semaphore.acquire(controller.signal);
    held.release();
    controller.abort();
    const permit = await waiting;
    expect(await freePermit(semaphore)).toBeNull();
    permit.release();
    expect(await freePermit(semaphore)).not.toBeNull();
  });

  it('a semaphore counts a permit that is released twice once', async () => {
    const semaphore = new Semaphore(1);
    const permit = await semaphore.acquire();
    permit.release();
    permit.release();
    expect(await freePermit(semaphore)).not.toBeNull();
    expect(await freePermit(semaphore)).toBeNull();
  });

  it('a semaphore gives the permit of a task back when the task is done, and when it fails', async () => {
    const semaphore = new Semaphore(1);
    await expect(semaphore.run(() => Promise.resolve('done'))).resolves.toBe('done');
    await expect(semaphore.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await freePermit(semaphore)).not.toBeNull();
  });

  it('a semaphore behaves, whatever is done with it, like a list of holders and a list of waiters', async () => {
    const step = fc.record({ what: fc.constantFrom('acquire', 'release', 'cancel'), which: fc.nat(20) });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 40 }), async (permits, steps) => {
        const semaphore = new Semaphore(permits);
        const controllers = new Map<number, AbortController>();
        const held = new Map<number, Permit>();
        let holders: number[] = [];
        let waiters: number[] = [];
        for (const [id, { what, which }] of steps.entries()) {
          if (what === 'acquire') {
            const controller = new AbortController();
            controllers.set(id, controller);
            semaphore.acquire(controller.signal).then(
              (permit) => held.set(id, permit),
              () => undefined,
            );
            if (holders.length < permits) holders.push(id);
            else waiters.push(id);
          } else if (what === 'release' && holders.length > 0) {
            const holder = holders[which % holders.length]!;
            held.get(holder)!.release();
            held.delete(holder);
            holders = [...holders.filter((one) => one !== holder), ...waiters.slice(0, 1)];
            waiters = waiters.slice(1);
          } else if (what === 'cancel' && waiters.length > 0) {
            const waiter = waiters[which % waiters.length]!;
            controllers.get(waiter)!.abort(new Error('gone'));
            waiters = waiters.filter((one) => one !== waiter);
          }
          await turn();
          expect([...held.keys()].sort((a, b) => a - b)).toEqual([...holders].sort((a, b) => a - b));
        }
      }),
      { numRuns: 60 },
    );
  });
});
