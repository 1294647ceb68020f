import type { EntityManager } from 'typeorm';
import type { Owner } from '../../keys/access/owner.js';

/** Until the transaction ends, no erasure of this owner is ordered and no batch of this owner is copied: the two take turns. */
export async function lockErasures(tx: EntityManager, { accountId, simulated }: Owner): Promise<void> {
  const what = `erasures of ${accountId} ${simulated}`;
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [what]);
}
