/**
 * SQL: whether a row of `batches` is worked on by workers of a region. What test keys sent is asked of nobody, so any worker takes it.
 * @param region the parameter that has the worker's region; null there: only batches of accounts without one
 */
export function isWorkedIn(region: string): string {
  const elsewhere = `FROM accounts AS elsewhere WHERE elsewhere.region IS NOT NULL AND elsewhere.region IS DISTINCT FROM ${region}::text`;
  // Where no account is of another region, one look at their index tells it for all batches. Else PostgreSQL looks each account up by its
  // key, or reads those of other regions once, whichever is less.
  return `(batches.simulated OR NOT EXISTS (SELECT ${elsewhere})
    OR NOT EXISTS (SELECT ${elsewhere} AND elsewhere.id = batches.account_id))`;
}
