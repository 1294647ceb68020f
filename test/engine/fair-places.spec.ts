import { expect, describe, it } from 'vitest';
import { held, type Held } from '../support/held.js';
import { FairPlaces } from '../../src/lib/fair-places.js';

/** Places, and tasks that run until the test ends them. */
function startPlaces(places: number) {
  const fair = new FairPlaces(places);
  const running: Held<void>[] = [];
  const begun: string[] = [];
  function run(name: string, holder: string | null): Promise<void> {
    return fair.run(() => {
      begun.push(name);
      running.push(held<void>());
      return running.at(-1)!.promise;
    }, holder);
  }
  async function endOne(at = 0): Promise<void> {
    running.splice(at, 1)[0]!.resolve();
    await settled();
  }
  return { run, running, begun, endOne };
}

const settled = () => new Promise<void>((done) => setImmediate(done));

describe('places that holders share', () => {
  it('places that holders share give a third of themselves to a holder that is alone, and each that becomes free to the next task in line', async () => {
    const { run, running, begun, endOne } = startPlaces(150);
    const names = Array.from({ length: 120 }, (_, i) => `task ${i}`);
    const done = Promise.all(names.map((name) => run(name, 'a')));
    let most = 0;
    for (let ended = 0; ended < 120; ended += 1) {
      most = Math.max(most, running.length);
      await endOne(ended % running.length);
    }
    await done;
    expect([most, begun]).toEqual([50, names]);
  });

  it('places that holders share have one at once for a ninth holder, whatever eight others have in work that never ends', async () => {
    const { run, begun } = startPlaces(150);
    for (let i = 0; i < 1_000; i += 1) void run(`silent ${i}`, `holder ${i % 8}`);
    await settled();
    const before = begun.length;
    void run('victim', 'victim');
    await settled();
    expect(before).toBeLessThan(150);
    expect(begun.slice(before)).toEqual(['victim']);
  });

  it('places that holders share are handed over in turns by holder, so that nobody waits for the end of a long line of another', async () => {
    const { run, begun, endOne } = startPlaces(3);
    void run('a1', 'a');
    for (const name of ['a2', 'a3', 'a4']) void run(name, 'a');
    void run('b1', 'b');
    void run('b2', 'b');
    await settled();
    expect(begun).toEqual(['a1', 'b1']);
    await endOne(0);
    await endOne(0);
    expect(begun.slice(2)).toEqual(['a2', 'b2']);
  });

  it('places that holders share let tasks of our own go before the others, and take the last place', async () => {
    const { run, begun, endOne } = startPlaces(2);
    for (const name of ['a1', 'a2']) void run(name, 'a');
    void run('own 1', null);
    void run('own 2', null);
    await settled();
    expect(begun).toEqual(['a1', 'own 1']);
    await endOne(0);
    expect(begun).toEqual(['a1', 'own 1', 'own 2']);
  });

  it('places that holders share give the place of a task that failed to the next one', async () => {
    const { run, running, begun } = startPlaces(1);
    const first = run('first', 'a');
    void run('second', 'a');
    await settled();
    running[0]!.reject(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    expect(begun).toEqual(['first', 'second']);
  });
});
