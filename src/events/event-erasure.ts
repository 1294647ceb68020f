import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ErasedAddress, Holders } from '../platform/erased-address.js';

/** Erases an address from the data of events. A customer may have called a batch by it, and events tell the names of batches. */
@Injectable()
export class EventErasure {
  /** Empties the texts that name it. @returns in how many events */
  async erase(tx: EntityManager, { accountIds, simulated }: Holders, address: ErasedAddress): Promise<number> {
    const rows: { id: string; data: string }[] = await tx.query(
      `SELECT id, data FROM webhook_events
        WHERE account_id = ANY ($1::uuid[]) AND simulated = $2 AND lower(data) LIKE ANY ($3::text[]) ORDER BY id FOR UPDATE`,
      [accountIds, simulated, address.patterns],
    );
    let erased = 0;
    for (const { id, data } of rows) {
      const left = withoutAddress(data, address);
      if (left === null) continue;
      erased += 1;
      await tx.query('UPDATE webhook_events SET data = $2 WHERE id = $1', [id, left]);
    }
    return erased;
  }
}

/** Null: as it was. */
function withoutAddress(data: string, address: ErasedAddress): string | null {
  let isChanged = false;
  const left: unknown = JSON.parse(data, (_, value: unknown) => {
    if (typeof value !== 'string' || !address.isIn(value)) return value;
    isChanged = true;
    return '';
  });
  return isChanged ? JSON.stringify(left) : null;
}
