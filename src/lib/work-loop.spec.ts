import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { held, type Held } from '../../test/support/held.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { WorkLoop } from './work-loop.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let clock: ManualClock;
let looks: Held<void>[];
let errors: unknown[];
let loop: WorkLoop;

/** A loop whose looks end when the test says so. */
function newLoop(): WorkLoop {
  const fill = (): Promise<void> => {
    const look = held<void>();
    looks.push(look);
    return look.promise;
  };
  return new WorkLoop({ fill, onError: (error) => errors.push(error) });
}

function stop(abort = (): void => {}): Promise<void> {
  return loop.stop({ timer: clock, graceMs: 100, abort });
}

beforeEach(() => {
  clock = new ManualClock();
  looks = [];
  errors = [];
  loop = newLoop();
});

describe('a work loop', () => {
  it('a work loop looks when it is woken, and is idle when the look is over', async () => {
    const woken = loop.wake();
    expect(looks).toHaveLength(1);
    looks[0]!.resolve();
    await woken;
    expect(looks).toHaveLength(1);
    void loop.wake();
    expect(looks).toHaveLength(2);
  });

  it('a work loop looks once more when it was woken during a look, however often', async () => {
    const woken = [loop.wake(), loop.wake(), loop.wake()];
    expect(looks).toHaveLength(1);
    looks[0]!.resolve();
    await turn();
    expect(looks).toHaveLength(2);
    looks[1]!.resolve();
    await Promise.all(woken);
    expect(looks).toHaveLength(2);
  });

  it('a work loop hears a wake in any step after the last look', async () => {
    for (let steps = 0; steps < 6; steps += 1) {
      looks = [];
      loop = newLoop();
      void loop.wake();
      looks[0]!.resolve();
      for (let step = 0; step < steps; step += 1) await Promise.resolve();
      void loop.wake();
      await turn();
      expect(looks).toHaveLength(2);
    }
  });

  it('a work loop reports a look that failed, rejects no wake with it, and looks again when it was woken meanwhile', async () => {
    const woken = loop.wake();
    void loop.wake();
    looks[0]!.reject(new Error('away'));
    await turn();
    expect(errors).toEqual([new Error('away')]);
    expect(looks).toHaveLength(2);
    looks[1]!.resolve();
    await woken;
  });

  it('a work loop hears again after a look that threw before it returned a promise', async () => {
    let count = 0;
    loop = new WorkLoop({
      fill: () => {
        count += 1;
        throw new Error('broken');
      },
      onError: (error) => errors.push(error),
    });
    await loop.wake();
    await loop.wake();
    expect(count).toBe(2);
    expect(errors).toHaveLength(2);
  });

  it('a work loop looks for more when a task has ended, whether it failed or not', async () => {
    const task = held<void>();
    const broken = held<void>();
    loop.begin(() => task.promise);
    loop.begin(() => broken.promise);
    expect(looks).toHaveLength(0);
    task.resolve();
    await turn();
    expect(looks).toHaveLength(1);
    looks[0]!.resolve();
    await turn();
    broken.reject(new Error('broken'));
    await turn();
    expect(looks).toHaveLength(2);
    expect(errors).toEqual([new Error('broken')]);
  });

  it('a work loop finds every piece of work, whatever the turns that its producers and the loop take', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 10 }), async (scheduler, count) => {
        const waiting: number[] = [];
        const done: number[] = [];
        let open = 0;
        const work: WorkLoop = new WorkLoop({
          fill: async () => {
            // At most two at once, and each look takes its time.
            while (open < 2) {
              await scheduler.schedule(Promise.resolve());
              const next = waiting.shift();
              if (next === undefined) return;
              open += 1;
              work.begin(async () => {
                await scheduler.schedule(Promise.resolve());
                done.push(next);
                open -= 1;
              });
            }
          },
          onError: (error) => {
            throw error;
          },
        });
        const { task } = scheduler.scheduleSequence(
          Array.from({ length: count }, (_, i) => async () => {
            waiting.push(i);
            void work.wake();
          }),
        );
        await scheduler.waitFor(task);
        await scheduler.waitAll();
        await turn();
        await scheduler.waitAll();
        expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i));
      }),
    );
  });
});

describe('a work loop that is stopped', () => {
  it('a work loop that is stopped waits for the look under way and for what it began, and looks no more', async () => {
    void loop.wake();
    let isStopped = false;
    const stopping = stop().then(() => (isStopped = true));
    expect(loop.isStopping).toBe(true);
    const task = held<void>();
    loop.begin(() => task.promise);
    looks[0]!.resolve();
    await turn();
    expect(isStopped).toBe(false);
    task.resolve();
    await stopping;
    await loop.wake();
    expect(looks).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('a work loop that is stopped does not look again although it was woken during the last look', async () => {
    void loop.wake();
    void loop.wake();
    const stopping = stop();
    looks[0]!.resolve();
    await stopping;
    expect(looks).toHaveLength(1);
  });

  it('a work loop that is stopped aborts the tasks that still run when the grace is over, and waits for them', async () => {
    const task = held<void>();
    const abort = vi.fn<() => void>(() => task.resolve());
    loop.begin(() => task.promise);
    const stopping = stop(abort);
    await turn();
    clock.advance(99);
    expect(abort).not.toHaveBeenCalled();
    clock.advance(1);
    await stopping;
    expect(abort).toHaveBeenCalledTimes(1);
  });

  it('a work loop that is stopped keeps no timer when nothing runs', async () => {
    await stop();
    expect(clock.pending).toBe(0);
  });
});
