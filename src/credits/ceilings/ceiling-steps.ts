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
export const ROOM = `
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
