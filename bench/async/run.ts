import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LRUCache } from 'lru-cache';
import { LruMap } from '../../src/lib/lru-map.js';
import { Memo } from '../../src/lib/memo.js';
import { MicroBatcher } from '../../src/lib/micro-batcher.js';
import { Semaphore } from '../../src/lib/semaphore.js';

/**
 * Compares src/async with the libraries of the field: `npm run bench:async -- --libraries DIR`, where DIR has a node_modules with
 * p-limit, p-queue, async-sema, dataloader and tiny-lru; `--only semaphore` for a part. Each round runs all candidates; the figures are medians of the rounds.
 */
const { values } = parseArgs({
  options: {
    libraries: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    only: { type: 'string', default: '' },
  },
});

interface Candidate {
  readonly name: string;
  /** @returns the operations done */
  readonly run: () => number | Promise<number>;
}

/** As much of the libraries' interfaces as is compared. */
interface Libraries {
  readonly 'p-limit': { default: (permits: number) => (task: () => Promise<void>) => Promise<void> };
  readonly 'p-queue': { default: new (options: object) => { add(task: () => Promise<void>): Promise<unknown> } };
  readonly 'async-sema': { Sema: new (permits: number) => { acquire(): Promise<unknown>; release(): void } };
  readonly dataloader: { default: new (flush: object, options: object) => { load(item: number): Promise<number> } };
  readonly 'tiny-lru': {
    lru: (max: number) => { get(key: string): object | undefined; set(key: string, value: object): unknown };
  };
}

async function library<Name extends keyof Libraries>(name: Name): Promise<Libraries[Name] | null> {
  if (values.libraries === undefined) return null;
  return import(createRequire(join(values.libraries, 'x.js')).resolve(name));
}

async function compare(title: string, candidates: readonly (Candidate | null)[]): Promise<void> {
  if (!title.includes(values.only)) return;
  const present = candidates.filter((candidate) => candidate !== null);
  const times = new Map<string, number[]>(present.map(({ name }) => [name, []]));
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const { name, run } of present) {
      global.gc?.();
      const start = performance.now();
      const operations = await run();
      // The first round only warms up.
      if (round > 0) times.get(name)!.push(((performance.now() - start) * 1e6) / operations);
    }
  }
  const medians = [...times].map(([name, some]) => [name, some.sort((a, b) => a - b)[some.length >> 1]!] as const);
  console.log(title);
  for (const [name, ns] of medians)
    console.log(
      `  ${name.padEnd(34)} ${ns.toFixed(0).padStart(7)} ns  ${(ns / medians[0]![1]).toFixed(2).padStart(6)}`,
    );
}

/** Names as a list has them: half of them one of ten, the others from a long tail. */
function names(count: number, tail: number): string[] {
  let seed = 1;
  const next = (): number => (seed = (seed * 48_271) % 2_147_483_647);
  return Array.from({ length: count }, () =>
    next() % 2 === 0 ? `big${next() % 10}.example` : `d${next() % tail}.example`,
  );
}

const LOOK_UPS = names(400_000, 100_000);

function lookUps(get: (name: string) => unknown, set: (name: string) => void): number {
  for (const name of LOOK_UPS) if (get(name) === undefined) set(name);
  return LOOK_UPS.length;
}

const VALUE = { value: 1 };

async function main(): Promise<void> {
  const pLimit = await library('p-limit');
  const pQueue = await library('p-queue');
  const sema = await library('async-sema');
  const dataloader = await library('dataloader');
  const tinyLru = await library('tiny-lru');

  for (const max of [10_000, 50_000]) {
    await compare(`LRU of ${max}, look up and learn 100,000 names`, [
      {
        name: 'LruMap',
        run: () => {
          const map = new LruMap<string, object>(max);
          return lookUps(
            (name) => map.get(name),
            (name) => map.set(name, VALUE),
          );
        },
      },
      {
        name: 'lru-cache',
        run: () => {
          const map = new LRUCache<string, object>({ max });
          return lookUps(
            (name) => map.get(name),
            (name) => map.set(name, VALUE),
          );
        },
      },
      tinyLru && {
        name: 'tiny-lru',
        run: () => {
          const map = tinyLru.lru(max);
          return lookUps(
            (name) => map.get(name),
            (name) => map.set(name, VALUE),
          );
        },
      },
      {
        name: 'Map, the oldest deleted when full',
        run: () => {
          const map = new Map<string, object>();
          return lookUps(
            (name) => map.get(name),
            (name) => {
              if (map.size >= max) map.delete(map.keys().next().value!);
              map.set(name, VALUE);
            },
          );
        },
      },
      {
        name: 'Memo, cleared when full',
        run: () => {
          const map = new Memo<string, object>(max);
          return lookUps(
            (name) => map.get(name),
            (name) => map.set(name, VALUE),
          );
        },
      },
    ]);
  }

  const HITS = LOOK_UPS.filter((name) => name.startsWith('big'));
  const memo = new Memo<string, object>(10_000);
  const bare = new Map<string, object>();
  const recent = new LruMap<string, object>(10_000);
  const lru = new LRUCache<string, object>({ max: 10_000 });
  for (const name of HITS) for (const map of [memo, bare, recent, lru]) map.set(name, VALUE);
  const hits = (map: { get(name: string): object | undefined }) => (): number => {
    let found = 0;
    for (const name of HITS) if (map.get(name) === VALUE) found += 1;
    return found;
  };
  await compare('hits alone', [
    { name: 'Memo', run: hits(memo) },
    { name: 'Map', run: hits(bare) },
    { name: 'LruMap', run: hits(recent) },
    { name: 'lru-cache', run: hits(lru) },
  ]);

  const ITEMS = 100_000;
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  for (const callers of [1, 50, 500]) {
    const flush = async (items: readonly number[]): Promise<readonly number[]> => {
      await turn();
      return items;
    };
    const total = callers === 1 ? 10_000 : ITEMS;
    const through = (add: (item: number) => Promise<number>) => async (): Promise<number> => {
      let left = total;
      const caller = async (): Promise<void> => {
        while (left-- > 0) await add(left);
      };
      await Promise.all(Array.from({ length: callers }, caller));
      return total;
    };
    await compare(`micro-batcher, ${callers} callers, flushes of 200 at most, one at a time`, [
      {
        name: 'MicroBatcher',
        run: () => {
          const it = new MicroBatcher(flush, 200);
          return through((item) => it.add(item))();
        },
      },
      dataloader && {
        name: 'dataloader, made to flush singly',
        run: () => {
          const due: (() => void)[] = [];
          let isFlushing = false;
          const next = (): void => {
            const begin = isFlushing ? undefined : due.shift();
            if (begin === undefined) return;
            isFlushing = true;
            begin();
          };
          const alone = async (items: readonly number[]): Promise<readonly number[]> => {
            try {
              return await flush(items);
            } finally {
              isFlushing = false;
              setImmediate(next);
            }
          };
          const batchScheduleFn = (begin: () => void): void => {
            due.push(begin);
            setImmediate(next);
          };
          const it = new dataloader.default(alone, { cache: false, maxBatchSize: 200, batchScheduleFn });
          return through((item) => it.load(item))();
        },
      },
    ]);
  }

  for (const [waiting, permits] of [
    [100, 50],
    [10_000, 50],
  ] as const) {
    const task = (): Promise<void> => turn();
    const limited = (run: (task: () => Promise<void>) => Promise<unknown>) => async (): Promise<number> => {
      for (let i = 0; i < 40_000; i += waiting) await Promise.all(Array.from({ length: waiting }, () => run(task)));
      return 40_000;
    };
    await compare(`semaphore, ${permits} permits, ${waiting} at once`, [
      {
        name: 'Semaphore',
        run: () => {
          const it = new Semaphore(permits);
          return limited((one) => it.run(one))();
        },
      },
      pLimit && {
        name: 'p-limit',
        run: () => {
          const it = pLimit.default(permits);
          return limited((one) => it(one))();
        },
      },
      pQueue && {
        name: 'p-queue',
        run: () => {
          const it = new pQueue.default({ concurrency: permits });
          return limited((one) => it.add(one))();
        },
      },
      sema && {
        name: 'async-sema',
        run: () => {
          const it = new sema.Sema(permits);
          return limited(async (one) => {
            await it.acquire();
            try {
              await one();
            } finally {
              it.release();
            }
          })();
        },
      },
    ]);
  }
}

await main();
