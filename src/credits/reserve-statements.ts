import { definePrepared } from '../platform/database/prepared.js';
import { OUTBOX_STEPS } from '../events/outbox.js';

/* Steps of the statements that reserve and settle credits, for the rows of `key_ceilings`. They lock them after the balances. */

/** The UTC day of the statement; it reads `locked`, so that the balances are locked before. */
const DAY = `(SELECT ($7::timestamptz AT TIME ZONE 'UTC')::date AS date, count(*) AS balances FROM locked) AS day`;

const isSameMonth = (one: string, other: string): string =>
  `date_trunc('month', ${one}::timestamp) = date_trunc('month', ${other}::timestamp)`;

/** The ceilings as they stand on the day, locked; a process whose clock is behind counts on the day that another one has begun. */
export const CEILINGS_NOW = `
  ceilings AS (
    SELECT c.id, greatest(c.used_date, day.date) AS date, c.credits_per_day, c.credits_per_month, c.credits_total,
           CASE WHEN c.used_date >= day.date THEN c.used_day ELSE 0 END AS used_day,
           CASE WHEN c.used_date >= day.date OR ${isSameMonth('c.used_date', 'day.date')} THEN c.used_month ELSE 0 END AS used_month,
           c.used_total
      FROM key_ceilings c CROSS JOIN ${DAY}
     WHERE c.id = ANY ($10) AND day.balances >= 0 ORDER BY c.id FOR NO KEY UPDATE OF c
  )`;

/** What the ceilings leave; without any, what `without` says. */
export const REMAINING = `
  coalesce(least(credits_per_day - used_day, credits_per_month - used_month, credits_total - used_total), without,
           9223372036854775807)`;

/** Counts what `admitted` has, on the day of its ceilings. */
export const COUNTED_ON_CEILINGS = `
  counted AS (
    UPDATE key_ceilings AS k
       SET used_date = c.date, used_day = c.used_day + t.taken, used_month = c.used_month + t.taken,
           used_total = c.used_total + t.taken
      FROM ceilings c JOIN (SELECT ceiling_id, sum(amount)::bigint AS taken FROM admitted GROUP BY ceiling_id) AS t
           ON t.ceiling_id = c.id
     WHERE k.id = c.id
    RETURNING k.id, t.taken
  )`;

/** Gives back what `ended` was not charged, to the day and the month from which it was taken if they still last. */
export const GIVEN_BACK_TO_CEILINGS = `
  unused AS (
    SELECT ceiling_id, ceiling_date AS date, sum(amount - charged)::bigint AS credits
      FROM ended JOIN locked USING (account_id)
     WHERE ceiling_id IS NOT NULL AND amount > charged GROUP BY ceiling_id, ceiling_date
  ), ceilings AS (
    SELECT id, used_date FROM key_ceilings
     WHERE id IN (SELECT ceiling_id FROM unused) ORDER BY id FOR NO KEY UPDATE
  ), given_back AS (
    UPDATE key_ceilings AS k
       SET used_day = k.used_day - back.day, used_month = k.used_month - back.month, used_total = k.used_total - back.total
      FROM (SELECT c.id, coalesce(sum(credits) FILTER (WHERE date = c.used_date), 0)::bigint AS day,
                   coalesce(sum(credits) FILTER (WHERE ${isSameMonth('date', 'c.used_date')}), 0)::bigint AS month,
                   sum(credits)::bigint AS total
              FROM ceilings c JOIN unused ON ceiling_id = c.id GROUP BY c.id, c.used_date) AS back
     WHERE k.id = back.id
  )`;

export const LEDGER_COLUMNS =
  'account_id, number, created_at, kind, amount, balance_after, purpose, key_id, reservation_id, batch_id' as const;

/**
 * The steps that notify the account's endpoints when `changed` has taken its balance below the plan's limit: each time it
 * falls below, and not again while it stays there. Only the statements that use them lower a balance.
 */
export const tellOfLow = (at: string): string => `
  happened AS (
    SELECT account_id, false AS simulated, 'credits.low'::text AS type, ${at}::timestamptz AS at,
           json_build_object('remaining', available, 'threshold', low)::text AS data, NULL::bigint AS batch_id, NULL::text AS url
      FROM changed WHERE before >= low AND available < low
  ), ${OUTBOX_STEPS}`;

const LOCKED = `
  locked AS (
    SELECT account_id, available FROM credit_balances
     WHERE account_id = ANY ($2) ORDER BY account_id FOR UPDATE
  )`;

// The smallest come first: a refused reservation would be refused alone too, unless others of its statement took the rest.
const SMALLEST = 'smallest AS (PARTITION BY account_id ORDER BY amount, id)';

// PostgreSQL checks a row's constraints by the version it saw when the statement began, before it goes on to the locked one: a balance that
// others have raised meanwhile would seem to fall below zero. So what is left is computed from the locked version.
const TAKEN = `
  totals AS (
    SELECT account_id, sum(amount)::bigint AS taken, max(available) - sum(amount)::bigint AS remaining, count(*) AS entries, max(low) AS low
      FROM admitted GROUP BY account_id
  ), changed AS (
    UPDATE credit_balances AS b
       SET available = t.remaining, reserved = b.reserved + t.taken, entries = b.entries + t.entries
      FROM totals t WHERE t.account_id = b.account_id
    RETURNING b.account_id, t.remaining + t.taken AS before, b.available, t.low, b.entries - t.entries AS entries_before
  ), ${tellOfLow('$7')}`;

/** @param further a column of the ledger beside those that every reservation writes */
const written = (further = ''): string => `
  INSERT INTO credit_ledger (${LEDGER_COLUMNS}${further})
  SELECT account_id, entries_before + nth, $7::timestamptz, 'reserve', -amount, before - taken, purpose, key_id, id, batch_id${further}
    FROM admitted JOIN changed USING (account_id)
  RETURNING reservation_id AS id`;

/**
 * A condition that holds, by which the commit of a statement without a transaction does not wait for the disk. What is written after it stands
 * behind it in PostgreSQL's log, so no settlement is kept without its reservation; a PostgreSQL that is killed forgets the reservations of
 * its last moment, as if their requests had never come, and these are then answered and not charged, or fail.
 */
const UNSYNCED = `(SELECT set_config('synchronous_commit', 'off', true)) = 'off'`;

const reserveText = (condition: string): string => `
  WITH wanted AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::uuid[], $5::text[], $6::timestamptz[], $8::bigint[],
                         $9::bigint[]) AS w (id, account_id, amount, key_id, purpose, expires_at, low, batch_id)
     WHERE ${condition}
  ), ${LOCKED}, ranked AS (
    SELECT wanted.*, locked.available, row_number() OVER smallest AS nth, sum(amount) OVER smallest AS taken
      FROM wanted JOIN locked USING (account_id)
    WINDOW ${SMALLEST}
  ), admitted AS (
    SELECT * FROM ranked WHERE taken <= available
  ), ${TAKEN}, reservations AS (
    INSERT INTO credit_reservations (id, account_id, amount, key_id, purpose, batch_id, created_at, expires_at)
    SELECT id, account_id, amount, key_id, purpose, batch_id, $7::timestamptz, expires_at FROM admitted
  )
  ${written()}`;

export const reserve = definePrepared<{ id: string }>('reserve credits', reserveText('true'));

/** The same at once, whose commit does not wait for the disk: not in a transaction, all of which it would hold for. */
export const reserveAtOnce = definePrepared<{ id: string }>('reserve credits at once', reserveText(UNSYNCED));

/** The decision about a reservation under ceilings, with what is used of them after all of its statement. */
export interface CeilingDecision {
  readonly id: string;
  readonly isMade: boolean;
  readonly creditsPerDay: number | null;
  readonly creditsPerMonth: number | null;
  readonly creditsTotal: number | null;
  readonly usedDate: string;
  readonly usedDay: number;
  readonly usedMonth: number;
  readonly usedTotal: number;
}

/**
 * The same for keys with ceilings, a statement of its own so that the other keys pay nothing for them. It admits by the ceilings first, and
 * what they leave by the balance.
 */
const underCeilingsText = (condition: string): string => `
  WITH wanted AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::uuid[], $5::text[], $6::timestamptz[], $8::bigint[],
                         $9::bigint[], $10::uuid[], $11::bigint[])
        AS w (id, account_id, amount, key_id, purpose, expires_at, low, batch_id, ceiling_id, without)
     WHERE ${condition}
  ), ${LOCKED}, ${CEILINGS_NOW}, asked AS (
    SELECT wanted.*, ceilings.date AS ceiling_date, ${REMAINING} AS room,
           sum(amount) OVER (PARTITION BY ceiling_id ORDER BY amount, wanted.id) AS asked
      FROM wanted JOIN ceilings ON ceilings.id = ceiling_id
  ), ranked AS (
    SELECT asked.*, locked.available, row_number() OVER smallest AS nth, sum(amount) OVER smallest AS taken
      FROM asked JOIN locked USING (account_id)
     WHERE asked <= room
    WINDOW ${SMALLEST}
  ), admitted AS (
    SELECT * FROM ranked WHERE taken <= available
  ), ${TAKEN}, ${COUNTED_ON_CEILINGS}, reservations AS (
    INSERT INTO credit_reservations (id, account_id, amount, key_id, purpose, batch_id, created_at, expires_at, ceiling_id,
                                     ceiling_date)
    SELECT id, account_id, amount, key_id, purpose, batch_id, $7::timestamptz, expires_at, ceiling_id, ceiling_date
      FROM admitted
  ), written AS (${written(', ceiling_id')})
  SELECT wanted.id, written.id IS NOT NULL AS "isMade", credits_per_day AS "creditsPerDay", credits_per_month AS "creditsPerMonth",
         credits_total AS "creditsTotal", date::text AS "usedDate", used_day + coalesce(taken, 0) AS "usedDay",
         used_month + coalesce(taken, 0) AS "usedMonth", used_total + coalesce(taken, 0) AS "usedTotal"
    FROM wanted JOIN ceilings ON ceilings.id = ceiling_id LEFT JOIN counted ON counted.id = ceiling_id
    LEFT JOIN written ON written.id = wanted.id`;

export const reserveUnderCeilings = definePrepared<CeilingDecision>(
  'reserve credits under ceilings',
  underCeilingsText('true'),
);

export const reserveUnderCeilingsAtOnce = definePrepared<CeilingDecision>(
  'reserve credits under ceilings at once',
  underCeilingsText(UNSYNCED),
);
