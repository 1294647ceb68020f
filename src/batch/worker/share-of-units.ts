/** Units open at once in a process: the leases of all are renewed in each sweep. */
export const MAX_UNITS = 1_000;
/** Open units from which on an account gets more of them only up to a share of those that are left. */
const SHARED_UNITS = MAX_UNITS / 2;
/** What is left of room is given out so that many accounts find some. */
export const SHARE_OF_ROOM = 1 / 4;

/**
 * Accounts that have as many units here as they may, so that the others find room.
 *
 * A unit that waits for a slow mail host has few items at times, a single one of a batch of one address: without a share a thousand such
 * batches of one account would be all that a worker has, for as long as their host likes. Units that wait count like all others.
 * @param accountIds the account of each open unit
 */
export function accountsWithTheirShare(accountIds: readonly string[]): string[] {
  if (accountIds.length < SHARED_UNITS) return [];
  const share = Math.max(1, Math.floor((MAX_UNITS - accountIds.length) * SHARE_OF_ROOM));
  const units = new Map<string, number>();
  for (const id of accountIds) units.set(id, (units.get(id) ?? 0) + 1);
  return [...units].filter(([, open]) => open >= share).map(([id]) => id);
}
