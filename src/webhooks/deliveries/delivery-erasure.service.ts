import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ErasedAddress } from '../../platform/addresses/erased-address.js';

/** The attempts of endpoints of accounts $1, in mode $2. */
const ATTEMPTS_OF_OWNERS = `
  webhook_attempts AS attempt
    JOIN webhook_deliveries AS delivery ON delivery.id = attempt.delivery_id
    JOIN webhook_endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
         AND endpoint.account_id = ANY ($1::uuid[]) AND endpoint.simulated = $2`;

/**
 * Erases an address from attempts: the first bytes of a reply may repeat what was sent, and a request tells the name of its batch.
 */
@Injectable()
export class DeliveryErasure {
  /** Empties the attempts that hold the address. @returns how many */
  async erase(
    tx: EntityManager,
    accountIds: readonly string[],
    simulated: boolean,
    { spellings }: ErasedAddress,
  ): Promise<number> {
    const [, erased]: [unknown, number] = await tx.query(
      `UPDATE webhook_attempts AS told SET reply = '', request_body = NULL
        WHERE (told.delivery_id, told.number) IN (
          SELECT attempt.delivery_id, attempt.number FROM ${ATTEMPTS_OF_OWNERS}
           WHERE EXISTS (SELECT FROM unnest($3::text[]) AS spelling
                          WHERE strpos(lower(attempt.reply), spelling) > 0 OR strpos(lower(attempt.request_body), spelling) > 0))`,
      [accountIds, simulated, spellings],
    );
    return erased;
  }

  /** Empties every attempt at an event of a batch: one that is cut off may end within the address. @returns how many */
  async eraseOfBatch(
    tx: EntityManager,
    accountIds: readonly string[],
    simulated: boolean,
    batchId: number,
  ): Promise<number> {
    const [, erased]: [unknown, number] = await tx.query(
      `UPDATE webhook_attempts AS told SET reply = '', request_body = NULL
        WHERE (told.reply <> '' OR told.request_body IS NOT NULL) AND (told.delivery_id, told.number) IN (
          SELECT attempt.delivery_id, attempt.number FROM ${ATTEMPTS_OF_OWNERS}
            JOIN webhook_events AS event ON event.id = delivery.event_id AND event.batch_id = $3)`,
      [accountIds, simulated, batchId],
    );
    return erased;
  }
}
