/** The price of work that has been done. */
export interface Charge {
  readonly credits: number;
  /** What was done for it, by verdict and reason; its credits are those above. */
  readonly works: readonly UsedWork[];
}

/** Work of one outcome: what usage counts. */
export interface UsedWork {
  readonly verdict: string;
  readonly reason: string;
  /** Distinct addresses or people. */
  readonly items: number;
  readonly credits: number;
}

export const NOTHING: Charge = { credits: 0, works: [] };

/** A charge whose works add up to it: credits that they leave out count as work of no known outcome. */
export function chargeOf(credits: number, works: readonly UsedWork[]): Charge {
  const left = credits - works.reduce((sum, work) => sum + work.credits, 0);
  return { credits, works: left === 0 ? works : [...works, { verdict: '', reason: '', items: 0, credits: left }] };
}

/** Collects works, one for each outcome. */
export class WorkSum {
  private readonly works = new Map<string, { verdict: string; reason: string; items: number; credits: number }>();

  add({ verdict, reason, items, credits }: UsedWork): void {
    const key = `${verdict} ${reason}`;
    const work = this.works.get(key);
    if (work === undefined) this.works.set(key, { verdict, reason, items, credits });
    else {
      work.items += items;
      work.credits += credits;
    }
  }

  toArray(): readonly UsedWork[] {
    return [...this.works.values()];
  }
}
