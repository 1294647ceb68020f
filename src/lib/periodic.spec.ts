import { beforeEach, describe, expect, it } from 'vitest';
import { held, type Held } from '../../test/support/held.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { Periodic, type PeriodicOptions } from './periodic.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let clock: ManualClock;
let runs: Held<void>[];
let errors: unknown[];

function every100(options: Partial<PeriodicOptions> = {}): Periodic {
  const task = (): Promise<void> => {
    const run = held<void>();
    runs.push(run);
    return run.promise;
  };
  return new Periodic(task, { everyMs: 100, timer: clock, onError: (error) => errors.push(error), ...options });
}

beforeEach(() => {
  clock = new ManualClock();
  runs = [];
  errors = [];
});

describe('a periodic task', () => {
  it('a periodic task runs at the start and then each time the period after its end is over', async () => {
    every100().start();
    expect(runs).toHaveLength(1);
    for (const count of [2, 3]) {
      runs.at(-1)!.resolve();
      await turn();
      clock.advance(99);
      expect(runs).toHaveLength(count - 1);
      clock.advance(1);
      expect(runs).toHaveLength(count);
    }
  });

  it('a periodic task runs for the first time after the time given for the first run', () => {
    every100({ firstAfterMs: 30 }).start();
    clock.advance(29);
    expect(runs).toHaveLength(0);
    clock.advance(1);
    expect(runs).toHaveLength(1);
  });

  it('a periodic task is never begun while it runs, however long that takes, and its runs do not pile up', async () => {
    every100().start();
    clock.advance(1_000);
    expect(runs).toHaveLength(1);
    runs[0]!.resolve();
    await turn();
    expect(runs).toHaveLength(1);
    clock.advance(100);
    expect(runs).toHaveLength(2);
  });

  it('a periodic task goes on after a run that failed, and reports it once', async () => {
    every100().start();
    runs[0]!.reject(new Error('away'));
    await turn();
    expect(errors).toEqual([new Error('away')]);
    clock.advance(100);
    expect(runs).toHaveLength(2);
  });

  it('a periodic task goes on after a run that threw before it returned a promise, and can still be stopped', async () => {
    let count = 0;
    const task = (): Promise<void> => {
      count += 1;
      throw new Error('broken');
    };
    const periodic = new Periodic(task, { everyMs: 100, timer: clock, onError: (error) => errors.push(error) });
    periodic.start();
    clock.advance(100);
    expect(count).toBe(2);
    expect(errors).toHaveLength(2);
    await periodic.stop();
    clock.advance(1_000);
    expect(count).toBe(2);
  });

  it('a periodic task is stopped when the run under way has ended, and nothing is begun after that', async () => {
    const periodic = every100();
    periodic.start();
    let isStopped = false;
    const stopping = periodic.stop().then(() => (isStopped = true));
    await turn();
    expect(isStopped).toBe(false);
    runs[0]!.resolve();
    await stopping;
    expect(clock.pending).toBe(0);
    clock.advance(1_000);
    expect(runs).toHaveLength(1);
  });

  it('a periodic task keeps no timer when it is stopped while it waits', async () => {
    const periodic = every100({ firstAfterMs: 100 });
    periodic.start();
    await periodic.stop();
    expect(clock.pending).toBe(0);
  });

  it('a periodic task is started once, and not after it was stopped', async () => {
    const periodic = every100();
    periodic.start();
    periodic.start();
    expect(runs).toHaveLength(1);
    const other = every100();
    await other.stop();
    other.start();
    expect(runs).toHaveLength(1);
  });
});
