/**
 * SQL: whether a row of `batches` is worked on by workers of a region. What test keys sent is asked of nobody, so any worker takes it.
 * @param region the parameter that has the worker's region; null there: only batches of accounts without one
 */
export function isWorkedIn(region: string): string {
  // The few accounts with a region are read once a statement, by their own index.
  return `(batches.simulated OR batches.account_id NOT IN (
    SELECT id FROM accounts WHERE region IS NOT NULL AND region IS DISTINCT FROM ${region}::text))`;
}
