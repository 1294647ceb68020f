import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../lib/durations.js';
import { LIVE_TIMINGS } from './timings.js';
import { MONITOR_AREAS, type MonitorArea } from './monitor-run.js';
import type { ChangeCode, WatchedSet } from './watched-set.js';
import { watchChanges } from './domain-changes.js';

const START = Date.parse('2026-11-26T12:00:00Z');
const ALL = new Set<MonitorArea>(MONITOR_AREAS);
const SAID: ChangeCode = 'mx_changed';
const ANY = { code: 'mx_changed', subject: 'example.com' } as const;

interface Step {
  /** Null: nobody answered. */
  readonly seen: readonly string[] | null;
  readonly afterMs?: number;
}

/** What each look finds, and what was taken back. */
function watched(
  steps: readonly Step[],
  { code = SAID, areas = ALL, first = START }: { code?: ChangeCode; areas?: typeof ALL; first?: number } = {},
) {
  let changes: readonly WatchedSet[] = [];
  let now = first;
  return steps.map(({ seen, afterMs = HOUR_MS }) => {
    now += afterMs;
    const sets = seen === null ? [] : [{ code, subject: 'example.com', values: seen }];
    const look = watchChanges(changes, { sets, areas, selectors: null }, { now: new Date(now), timings: LIVE_TIMINGS });
    // As PostgreSQL keeps it.
    changes = JSON.parse(JSON.stringify(look.changes)) as readonly WatchedSet[];
    return look;
  });
}
const codes = (steps: readonly Step[], options = {}) =>
  watched(steps, options).map(({ findings }) => findings.map(({ code }) => code).join(' '));
const times = (count: number, ...seen: readonly string[]): Step[] => Array.from({ length: count }, () => ({ seen }));

describe('records that have changed', () => {
  it('records that have changed are told of by the third look in a row that sees it, with what was before and what is now', () => {
    const steps = [...times(3, 'a', 'b'), ...times(3, 'a', 'c')];
    expect(codes(steps)).toEqual(['', '', '', '', '', SAID]);
    expect(watched(steps).at(-1)!.findings).toMatchObject([
      {
        ...ANY,
        area: 'mx',
        severity: 'info',
        evidence: { before: ['a', 'b'], after: ['a', 'c'], changed_at: new Date(START + 6 * HOUR_MS).toISOString() },
      },
    ]);
  });

  it('records that have changed are looked at again within the hour, but no look counts that is too close to the one before', () => {
    const steps = [
      ...times(3, 'a'),
      { seen: ['b'] },
      ...times(2, 'b').map((one) => ({ ...one, afterMs: HOUR_MS / 4 })),
    ];
    const looks = watched(steps);
    expect(looks.map(({ againMs }) => againMs)).toEqual([null, null, null, HOUR_MS, HOUR_MS, HOUR_MS]);
    expect(looks.flatMap(({ findings }) => findings)).toEqual([]);
    expect(codes([...steps, ...times(1, 'b')]).at(-1)).toBe(SAID);
  });

  it('records that have changed have not changed by another order', () => {
    expect(codes([...times(3, 'a', 'b'), ...times(9, 'b', 'a')])).toEqual(Array.from({ length: 12 }, () => ''));
  });

  it('records that have changed have not changed where nobody answers, however long', () => {
    const silent = Array.from({ length: 20 }, () => ({ seen: null }));
    expect(codes([...times(3, 'a'), ...silent, ...times(3, 'a')])).toEqual(Array.from({ length: 26 }, () => ''));
    // And silence between two looks does not begin the count anew.
    expect(codes([...times(3, 'a'), ...times(2, 'b'), { seen: null }, ...times(1, 'b')]).at(-1)).toBe(SAID);
  });

  it('records that have changed are news for seven days, and then no finding without a word of its end', () => {
    const steps = [...times(3, 'a'), ...times(3, 'b'), { seen: ['b'], afterMs: 6.9 * 24 * HOUR_MS }];
    expect(codes(steps).slice(-2)).toEqual([SAID, SAID]);
    const [last] = watched([...steps, ...times(3, 'b')]).slice(-1);
    expect(last!.findings).toEqual([]);
    expect([...last!.takenBack]).toEqual([]);
  });

  it('records that have changed that are taken back are told of as resolved', () => {
    const looks = watched([...times(3, 'a'), ...times(3, 'b'), ...times(3, 'a')]);
    expect(looks.slice(5, 8).map(({ findings }) => findings.length)).toEqual([1, 1, 1]);
    expect(looks.at(-1)!.findings).toEqual([]);
    expect([...looks.at(-1)!.takenBack]).toEqual(['mx_changed example.com']);
  });

  it('records that have changed and change once more are a finding that ends and comes again', () => {
    const looks = watched([...times(3, 'a'), ...times(3, 'b'), ...times(4, 'c')]);
    expect(looks.slice(5).map(({ findings }) => findings.map(({ evidence }) => evidence['after']))).toEqual([
      [['b']],
      [['b']],
      [['b']],
      [],
      [['c']],
    ]);
    expect([...looks[8]!.takenBack]).toEqual([]);
  });

  it('records that have changed are forgotten where nobody watches them any more', () => {
    const [look] = watched(times(1, 'a'), { areas: new Set<MonitorArea>(['dmarc']) });
    expect(look!.changes).toEqual([]);
  });
});

describe('a round robin', () => {
  const turns = (count: number, of: (n: number) => readonly string[]): Step[] =>
    Array.from({ length: count }, (_, n) => ({ seen: of(n) }));

  it.each<[string, (n: number) => readonly string[]]>([
    ['one in turn with another', (n) => (n % 2 === 0 ? ['a', 'b'] : ['c', 'd'])],
    ['one of three', (n) => [['a'], ['b'], ['c']][n % 3]!],
    ['pairs of five', (n) => ['abcde'[n % 5]!, 'abcde'[(n + 2) % 5]!]],
    ['two looks long', (n) => (Math.floor(n / 2) % 2 === 0 ? ['a'] : ['b'])],
    ['with one host that is there now and then', (n) => (n % 4 === 0 ? ['a', 'b'] : ['a'])],
    ['that begins late', (n) => (n < 20 ? ['a'] : n % 2 === 0 ? ['a'] : ['b'])],
  ])('a round robin does not speak: %s', (_, of) => {
    expect(codes(turns(300, of)).filter((one) => one !== '')).toEqual([]);
  });

  it('a round robin by chance does not speak once it is known', () => {
    let state = 42;
    const chance = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
    const known = [...times(1, 'a', 'b'), ...times(1, 'c', 'd')];
    const random = turns(500, () => (chance() < 0.5 ? ['a', 'b'] : ['c', 'd']));
    expect(codes([...known, ...random]).filter((one) => one !== '')).toEqual([]);
  });

  it('a round robin is told of when somebody else is in all of three looks', () => {
    const robin = turns(20, (n) => (n % 2 === 0 ? ['a'] : ['b']));
    const moved = codes([...robin, ...turns(3, (n) => (n % 2 === 0 ? ['c'] : ['d']))]);
    expect(moved.at(-1)).toBe(SAID);
  });

  it('a round robin that has ended is forgotten after twelve looks, so that its end for good is not missed later', () => {
    const robin = turns(20, (n) => (n % 2 === 0 ? ['a'] : ['b']));
    expect(codes([...robin, ...times(20, 'a'), ...times(3, 'b')]).at(-1)).toBe(SAID);
  });
});

describe('a registration', () => {
  const LOCKED = 'client transfer prohibited';
  const LOCK = { code: 'registration_lock_gone' } as const;

  it('a registration without its lock is told of by the second look, and with it again as resolved', () => {
    const steps = [...times(2, LOCKED), ...times(2)];
    expect(codes(steps, LOCK)).toEqual(['', '', '', 'registration_lock_gone']);
    const back = watched([...steps, ...times(2, LOCKED)], LOCK).at(-1)!;
    expect([back.findings, [...back.takenBack]]).toEqual([[], ['registration_lock_gone example.com']]);
  });

  it('a registration that never had a lock, or gets one, is no news', () => {
    expect(codes([...times(4), ...times(4, LOCKED)], LOCK).join('')).toBe('');
  });

  it('a registration is asked for again soon when it has begun to change, though registries are asked once a day', () => {
    const looks = watched([...times(2, 'One'), ...times(2, 'Other')], { code: 'registrar_changed' });
    expect(looks.map(({ asksRegistry }) => asksRegistry)).toEqual([false, false, true, false]);
  });
});

describe('a policy of MTA-STS', () => {
  it('a policy of MTA-STS that changes under the same id is told of, and one that changes with its id is not', () => {
    const options = { code: 'sts_id_unchanged' as const };
    expect(codes([...times(3, '1 aa'), ...times(3, '1 bb')], options).at(-1)).toBe('sts_id_unchanged');
    expect(codes([...times(3, '1 aa'), ...times(3, '2 bb')], options).at(-1)).toBe('');
  });
});

describe('what is kept of it', () => {
  it('what is kept of it is bounded, whatever others publish', () => {
    const many = Array.from({ length: 1_000 }, (_, n) => `host${n}.example.com`);
    const [look] = watched([{ seen: many }]);
    expect(look!.changes[0]!.known.values).toHaveLength(60);
  });
});
