/** The price of work that has been done. */
export interface Charge {
  readonly credits: number;
  /** What was done for it, by verdict and reason; its credits are those above. */
  readonly works: readonly UsedWork[];
}

/** What is paid for, as the ledger and the usage name it. */
export type WorkPurpose = 'verify' | 'find' | 'batch' | 'blacklists' | 'domains' | 'placement';

/** Whose usage is counted, and as what. */
export interface UsageOwner {
  readonly accountId: string;
  readonly keyId: string;
  readonly simulated: boolean;
  readonly endpoint: WorkPurpose;
}

/** Why work without a verdict of an address cost what it did (docs/credits.md#usage); verdicts have reasons of their own. */
export const WORK_REASONS = [
  'answered',
  'known',
  'unanswered',
  'not_found',
  'report',
  'not_searched',
  'no_report',
] as const;

export type WorkReason = (typeof WORK_REASONS)[number];

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

/** A reservation that was made before reservations had a key. */
const NO_KEY = `'00000000-0000-0000-0000-000000000000'`;

interface Worked {
  /** The step of the statement that names reservations: id, account_id, key_id and purpose. */
  readonly worked: string;
  /** The parameter of the time. */
  readonly at: string;
  /** The number of the first of the five parameters that `worksOf` gives. */
  readonly works: number;
}

/**
 * The step, called `usage`, that adds works to the day within the statement that charges them: so both have happened or neither. A row is
 * locked after the balance of its account, by nobody who has not locked that.
 * @param column where the price is counted
 */
export const addUsage = (column: 'credits' | 'free_credits', { worked, at, works }: Worked): string => `
  usage AS (
    INSERT INTO usage_days AS day
      (account_id, utc_date, key_id, endpoint, verdict, reason, simulated, items, credits, free_credits)
    SELECT account_id, (${at}::timestamptz AT TIME ZONE 'UTC')::date, coalesce(key_id, ${NO_KEY}), coalesce(purpose, ''),
           work.verdict, work.reason, false, sum(work.items)::bigint,
           ${column === 'credits' ? 'sum(work.price)::bigint, 0' : '0, sum(work.price)::bigint'}
      FROM unnest($${works}::uuid[], $${works + 1}::text[], $${works + 2}::text[], $${works + 3}::bigint[], $${works + 4}::bigint[])
             AS work (reservation_id, verdict, reason, items, price)
      JOIN (SELECT id, account_id, key_id, purpose FROM ${worked}) AS worked ON worked.id = work.reservation_id
     GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (account_id, utc_date, key_id, endpoint, verdict, reason) DO UPDATE
       SET items = day.items + excluded.items, credits = day.credits + excluded.credits,
           free_credits = day.free_credits + excluded.free_credits
    RETURNING account_id
  )`;

/** The parameters of `addUsage`. */
export function worksOf(endings: readonly { readonly reservationId: string; readonly charge: Charge }[]): unknown[] {
  const works = endings.flatMap(({ reservationId, charge }) =>
    charge.works.map((work) => ({ reservationId, ...work })),
  );
  return [
    works.map(({ reservationId }) => reservationId),
    works.map(({ verdict }) => verdict),
    works.map(({ reason }) => reason),
    works.map(({ items }) => items),
    works.map(({ credits }) => credits),
  ];
}
