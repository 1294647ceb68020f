import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallerLimits, type Grant } from './caller-limits.js';
import type { Limit } from './limits.js';

const BUCKET = { kind: 'bucket', key: '{a}b', perSecond: 100, burst: 200 } as const;
const PERMITS = { kind: 'permits', key: '{a}p', permits: 320 } as const;

/** Redis, as the script of `admit-script.ts` decides, on a clock of its own. */
class World {
  ms = 0;
  asked = 0;
  isAway = false;
  #id = 0;
  #fullAt = 0;
  readonly permits = new Set<string>();

  ask(limits: readonly Limit[], counts: readonly number[]): Promise<Grant> {
    this.asked += 1;
    if (this.isAway) return Promise.reject(new Error('away'));
    const id = String((this.#id += 1));
    const room = limits.map((limit) => this.#roomOf(limit));
    const refusing = room.findIndex((left) => left < 1);
    const taken = room.map((left, i) => (refusing >= 0 ? 0 : Math.max(1, Math.min(counts[i]!, Math.floor(left / 8)))));
    limits.forEach((limit, i) => this.#use(limit, taken[i]!, id));
    const states = limits.map((limit, i) => ({
      remaining: Math.max(room[i]! - taken[i]!, 0),
      resetMs: limit.kind === 'bucket' ? 10 : 0,
    }));
    return Promise.resolve({ id, refusedBy: limits[refusing] ?? null, waitMs: 0, states, taken });
  }

  #roomOf(limit: Limit): number {
    if (limit.kind === 'permits') return limit.permits - this.permits.size;
    return BUCKET.burst - Math.ceil((Math.max(this.#fullAt - this.ms, 0) * BUCKET.perSecond) / 1000);
  }

  #use(limit: Limit, count: number, id: string): void {
    if (limit.kind === 'bucket') this.#fullAt = Math.max(this.#fullAt, this.ms) + (count * 1000) / BUCKET.perSecond;
    else for (let i = 0; i < count; i++) this.permits.add(i === 0 ? id : `${id}:${i}`);
  }
}

function processOf(world: World, isRenewed = () => true) {
  const limits = new CallerLimits({
    ask: (asked, counts) => world.ask(asked, counts),
    now: () => world.ms,
    isRenewed,
  });
  return {
    limits,
    admit: () => limits.admit(BUCKET, PERMITS),
    end: (permit: string) => limits.keep(permit) || world.permits.delete(permit),
    look: () => limits.look().forEach((permit) => world.permits.delete(permit)),
  };
}

describe('the limits of a caller', () => {
  it('the limits of a caller ask Redis for each request of a quiet one, and seldom for a busy one', async () => {
    const world = new World();
    const one = processOf(world);
    for (let i = 0; i < 3; i++) one.end((await one.admit()).id);
    expect(world.asked).toBe(3);
    for (let i = 0; i < 40; i++) {
      world.ms += 10;
      one.end((await one.admit()).id);
      if (i % 10 === 9) one.look();
    }
    expect(world.asked).toBeLessThan(25);
  });

  it('the limits of a caller give everything back when no request comes any more', async () => {
    const world = new World();
    const one = processOf(world);
    for (let i = 0; i < 20; i++) one.end((await one.admit()).id);
    expect(world.permits.size).toBeGreaterThan(0);
    one.look();
    one.look();
    expect([world.permits.size, one.limits.isIdle]).toEqual([0, true]);
  });

  it('the limits of a caller tell what is left as Redis would', async () => {
    const world = new World();
    const one = processOf(world);
    const told: number[] = [];
    for (let i = 0; i < 30; i++) {
      const { id, states } = await one.admit();
      told.push(states[0]!.remaining);
      one.end(id);
    }
    expect(told).toEqual(Array.from({ length: 30 }, (_, i) => BUCKET.burst - 1 - i));
    expect(world.asked).toBeLessThan(12);
    world.ms += 5_000;
    expect((await one.admit()).states[0]!.remaining).toBe(BUCKET.burst - 1);
  });

  it('the limits of a caller admit nobody by a permit that Redis may have given to somebody else', async () => {
    const world = new World();
    let isRenewed = true;
    const one = processOf(world, () => isRenewed);
    for (let i = 0; i < 10; i++) one.end((await one.admit()).id);
    const kept = new Set(one.limits.unused);
    expect(kept.size).toBeGreaterThan(0);
    isRenewed = false;
    for (let i = 0; i < 5; i++) expect(kept).not.toContain((await one.admit()).id);
  });

  it('the limits of a caller use nothing that was taken under the numbers of another policy', async () => {
    const world = new World();
    const one = processOf(world);
    for (let i = 0; i < 10; i++) one.end((await one.admit()).id);
    const { asked } = world;
    await one.limits.admit({ ...BUCKET, burst: 10 }, PERMITS);
    expect(world.asked).toBe(asked + 1);
  });

  it('the limits of a caller keep a permit that was theirs when Redis does not answer, and admit nobody', async () => {
    const world = new World();
    const one = processOf(world);
    for (let i = 0; i < 10; i++) one.end((await one.admit()).id);
    world.ms += 1_000;
    world.isAway = true;
    const { length } = one.limits.unused;
    await expect(one.admit()).rejects.toThrow('away');
    expect(one.limits.unused).toHaveLength(length);
  });

  it('the limits of a caller keep no token while the bucket refills, so that no burst is larger than it may be', async () => {
    const world = new World();
    const [one, other] = [processOf(world), processOf(world)];
    const burst = async (from: typeof one, times: number): Promise<number> => {
      let admitted = 0;
      for (let i = 0; i < times; i++) {
        const { id, refusedBy } = await from.admit();
        if (refusedBy === null) admitted += 1;
        if (refusedBy === null) from.end(id);
      }
      return admitted;
    };
    // Until it has just taken some.
    for (let asked = -1; asked !== world.asked || asked < 8;) {
      asked = world.asked;
      await burst(one, 1);
    }
    world.ms += 5_000;
    expect((await burst(other, 400)) + (await burst(one, 20))).toBe(BUCKET.burst);
  });

  it('the limits of a caller lose nothing of the rate while more is asked than it gives', async () => {
    const world = new World();
    const one = processOf(world);
    let admitted = 0;
    for (; world.ms < 5_000; world.ms += 10)
      for (let i = 0; i < 3; i++) {
        const { id, refusedBy } = await one.admit();
        if (refusedBy !== null) continue;
        admitted += 1;
        one.end(id);
      }
    expect(admitted).toBeGreaterThanOrEqual(BUCKET.burst + (BUCKET.perSecond * 4_990) / 1000 - 2);
    expect(admitted).toBeLessThanOrEqual(BUCKET.burst + (BUCKET.perSecond * 4_990) / 1000);
  });

  it('the limits of a caller are never exceeded, whatever several processes do', async () => {
    const step = fc.record({
      process: fc.nat(2),
      what: fc.constantFrom('ask', 'ask', 'ask', 'end', 'look'),
      times: fc.integer({ min: 1, max: 40 }),
      ms: fc.constantFrom(0, 0, 1, 5, 30, 400),
    });
    let local = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const world = new World();
        const processes = [processOf(world), processOf(world), processOf(world)];
        const running: [number, string][] = [];
        // The bucket as it were if every request had asked when it came.
        let [level, at, admitted] = [0, 0, 0];
        for (const { process, what, times, ms } of steps) {
          world.ms += ms;
          if (what === 'look') processes[process]!.look();
          for (let i = 0; i < times && what === 'end'; i++) {
            const [owner, permit] = running.shift() ?? [];
            if (permit !== undefined) processes[owner!]!.end(permit);
          }
          const asked = what === 'ask' ? Array.from({ length: times }, () => processes[process]!.admit()) : [];
          for (const { id, refusedBy, states } of await Promise.all(asked)) {
            expect(states[0]!.remaining).toBeLessThan(BUCKET.burst);
            if (refusedBy !== null) continue;
            admitted += 1;
            level = Math.max(level - ((world.ms - at) * BUCKET.perSecond) / 1000, 0) + 1;
            at = world.ms;
            expect(level).toBeLessThanOrEqual(BUCKET.burst + 1e-6);
            expect(world.permits).toContain(id);
            running.push([process, id]);
          }
          expect(new Set(running.map(([, id]) => id)).size).toBe(running.length);
          expect(running.length).toBeLessThanOrEqual(PERMITS.permits);
        }
        local += admitted - world.asked;
      }),
      { numRuns: 300 },
    );
    expect(local).toBeGreaterThan(100);
  });
});
