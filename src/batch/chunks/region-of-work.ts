/**
 * SQL: whether a row of `batches` is worked on by workers of a region. What test keys sent is asked of nobody, so any worker takes it.
 * @param region the parameter that has the worker's region; null there: only batches of accounts without one
 */
export function isWorkedIn(region: string): string {
  // For a few batches PostgreSQL looks each account up by its key; for many it reads those with a region once.
  return `(batches.simulated OR NOT EXISTS (
    SELECT FROM accounts AS elsewhere
     WHERE elsewhere.id = batches.account_id AND elsewhere.region IS NOT NULL AND elsewhere.region IS DISTINCT FROM ${region}::text))`;
}
