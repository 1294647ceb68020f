import { describe, expect, it } from 'vitest';
import { ReadMemo } from './read-memo.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A memo whose values are believed for 1,000 ms; time passes when a test says so. */
function memo() {
  let now = 0;
  const alarms: { at: number; act: () => void }[] = [];
  const together: { names: readonly string[]; end: (values: (string | null)[]) => void; fail: (e: Error) => void }[] =
    [];
  let read = 0;
  const after = (ms: number, act: () => void) => {
    const alarm = { at: now + ms, act };
    alarms.push(alarm);
    return () => void alarms.splice(alarms.indexOf(alarm), 1);
  };
  const values = new ReadMemo<string>((names) => new Promise((end, fail) => together.push({ names, end, fail })), {
    maxEntries: 1_000,
    believedMs: 1_000,
    now: () => now,
    timer: { after },
  });
  return {
    values,
    together,
    pass: (ms: number) => {
      now += ms;
      for (const { act } of alarms
        .splice(0)
        .filter(({ at, act: later }) => at <= now || !alarms.push({ at, act: later })))
        act();
    },
    find: (name: string) => values.find(name, () => Promise.resolve(`${name} ${(read += 1)}`)),
    count: () => read,
  };
}

describe('a memo of readings', () => {
  it('a memo of readings reads all that is in use again at once before its time ends, and nobody waits', async () => {
    const { find, pass, together, count } = memo();
    await Promise.all([find('a'), find('b'), find('idle')]);
    pass(700);
    expect([await find('a'), await find('b'), await find('a')]).toEqual(['a 1', 'b 2', 'a 1']);
    pass(100);
    expect(together.map(({ names }) => names)).toEqual([['a', 'b']]);
    expect(await find('a')).toBe('a 1');
    together[0]!.end(['a again', 'b again']);
    await turn();
    pass(300);
    expect([await find('a'), await find('b'), count()]).toEqual(['a again', 'b again', 3]);
    expect(await find('idle')).toBe('idle 4');
  });

  it('a memo of readings believes what it reads again from the moment that reading began', async () => {
    const { find, pass, together } = memo();
    await find('a');
    pass(700);
    await find('a');
    pass(100);
    pass(200);
    together[0]!.end(['a again']);
    await turn();
    pass(800);
    expect(await find('a')).toBe('a again');
    pass(1);
    expect(await find('a')).toBe('a 2');
  });

  it('a memo of readings does not keep what was forgotten while it was read again', async () => {
    const { find, pass, together, values } = memo();
    await find('a');
    pass(700);
    await find('a');
    pass(100);
    values.forget('a');
    expect(await find('a')).toBe('a 2');
    together[0]!.end(['stale']);
    await turn();
    expect(await find('a')).toBe('a 2');
  });

  it('a memo of readings drops what is gone, and keeps to the old value until its time ends when reading again fails', async () => {
    const { find, pass, together } = memo();
    await Promise.all([find('gone'), find('kept')]);
    pass(700);
    await find('gone');
    pass(100);
    together[0]!.end([null]);
    await turn();
    expect(await find('gone')).toBe('gone 3');
    await find('kept');
    pass(100);
    together[1]!.fail(new Error('away'));
    await turn();
    expect(await find('kept')).toBe('kept 2');
    pass(101);
    expect(await find('kept')).toBe('kept 4');
  });

  it('a memo of readings has one reading of what is in use under way, however slow it is', async () => {
    const { find, pass, together } = memo();
    await Promise.all([find('a'), find('b')]);
    pass(700);
    await Promise.all([find('a'), find('a'), find('a')]);
    pass(100);
    await find('b');
    pass(100);
    expect(together.map(({ names }) => names)).toEqual([['a']]);
    together[0]!.end(['a again']);
    await turn();
    await find('b');
    pass(50);
    expect(together.map(({ names }) => names)).toEqual([['a'], ['b']]);
  });

  it('a memo of readings reads at most 500 together', async () => {
    const { find, pass, together } = memo();
    const names = Array.from({ length: 501 }, (_, i) => `n${i}`);
    await Promise.all(names.map(find));
    pass(700);
    await Promise.all(names.map(find));
    pass(100);
    expect(together.map((one) => one.names.length)).toEqual([500]);
    together[0]!.end(names.slice(0, 500));
    await turn();
    expect(together.map((one) => one.names.length)).toEqual([500, 1]);
  });
});
