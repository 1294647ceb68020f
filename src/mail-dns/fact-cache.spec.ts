import { beforeEach, describe, expect, it } from 'vitest';

import { held, type Held } from '../../test/support/held.js';
import { FactCache, type Learned } from './fact-cache.js';

let now = 0;
const clock = { now: () => now, after: () => () => undefined };

/** A cache whose facts come when the test says so. */
function startCache(maxEntries = 100) {
  const asked: string[] = [];
  const answers = new Map<string, Held<Learned<string>>>();
  const cache = new FactCache<string>({ clock, maxEntries });
  const how = (key: string) => {
    asked.push(key);
    const answer = held<Learned<string>>();
    answers.set(key, answer);
    return answer.promise;
  };
  async function learn(key: string, lifeSeconds = 60): Promise<string> {
    const learning = cache.learn(key, how);
    answers.get(key)!.resolve({ value: `fact of ${key}`, lifeSeconds });
    return learning;
  }
  return { cache, how, asked, answers, learn };
}

beforeEach(() => {
  now = 1_000_000;
});

describe('the fact cache', () => {
  it('the fact cache knows nothing before it has learned, and the fact without a promise afterwards', async () => {
    const { cache, learn } = startCache();
    expect(cache.peek('a')).toBeUndefined();
    expect(await learn('a')).toBe('fact of a');
    expect(cache.peek('a')).toBe('fact of a');
  });

  it('the fact cache lets callers of another line learn by themselves what others wait for, and all have what was learned last', async () => {
    const { cache, how, asked, answers } = startCache();
    const waiting = cache.learn('a', how);
    const slow = answers.get('a')!;
    const urgent = [cache.learn('a', how, 'single'), cache.learn('a', how, 'single')];
    expect(asked).toEqual(['a', 'a']);
    answers.get('a')!.resolve({ value: 'soon', lifeSeconds: 60 });
    expect(await Promise.all(urgent)).toEqual(['soon', 'soon']);
    expect(cache.peek('a')).toBe('soon');
    slow.resolve({ value: 'late', lifeSeconds: 60 });
    expect(await waiting).toBe('late');
    expect(cache.pending('a')).toBeUndefined();
  });

  it('the fact cache believes each fact for its own life, to the millisecond', async () => {
    const { cache, learn } = startCache();
    await learn('short', 30);
    await learn('long', 300);
    now += 29_999;
    expect([cache.peek('short'), cache.peek('long')]).toEqual(['fact of short', 'fact of long']);
    now += 1;
    expect([cache.peek('short'), cache.peek('long')]).toEqual([undefined, 'fact of long']);
    now += 270_000;
    expect(cache.peek('long')).toBeUndefined();
  });

  it('the fact cache asks once when many want the same fact, and again for the next generation', async () => {
    const { cache, how, asked, answers } = startCache();
    const wanted = Array.from({ length: 20 }, () => cache.learn('a', how));
    answers.get('a')!.resolve({ value: 'fact', lifeSeconds: 1 });
    expect(new Set(await Promise.all(wanted))).toEqual(new Set(['fact']));
    expect(asked).toEqual(['a']);
    void cache.learn('a', how);
    expect(asked).toEqual(['a', 'a']);
  });

  it('the fact cache starts the life of a fact when it is learned, not when it is asked for', async () => {
    const { cache, how, answers } = startCache();
    const learning = cache.learn('a', how);
    now += 50_000;
    answers.get('a')!.resolve({ value: 'fact', lifeSeconds: 60 });
    await learning;
    now += 59_999;
    expect(cache.peek('a')).toBe('fact');
  });

  it('the fact cache holds no more than its bound, and drops the fact that was not used for longest', async () => {
    const { cache, learn } = startCache(3);
    for (const key of ['a', 'b', 'c']) await learn(key);
    cache.peek('a');
    await learn('d');
    expect(['a', 'b', 'c', 'd'].filter((key) => cache.peek(key) !== undefined)).toEqual(['a', 'c', 'd']);
    await learn('a');
    expect(['a', 'c', 'd'].filter((key) => cache.peek(key) !== undefined)).toEqual(['a', 'c', 'd']);
  });

  it('the fact cache keeps nothing of a failure: the callers that waited get it, and the next one asks again', async () => {
    const { cache, how, asked, answers, learn } = startCache();
    const both = Promise.allSettled([cache.learn('a', how), cache.learn('a', how)]);
    answers.get('a')!.reject(new Error('broken'));
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(cache.peek('a')).toBeUndefined();
    expect(await learn('a')).toBe('fact of a');
    expect(asked).toEqual(['a', 'a']);
  });
});
