import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ErasedAddress, Holders } from '../platform/erased-address.js';

/** The attempts of endpoints of accounts $1, in mode $2. */
const ATTEMPTS_OF_OWNERS = `
  webhook_attempts AS attempt
    JOIN webhook_deliveries AS delivery ON delivery.id = attempt.delivery_id
    JOIN webhook_endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
         AND endpoint.account_id = ANY ($1::uuid[]) AND endpoint.simulated = $2`;

/** Attempts that are looked through together: 5 MiB of replies and requests. */
const ATTEMPT_PAGE_SIZE = 1_000;

/** An attempt whose reply, or request, may hold an address. */
interface TellingAttempt {
  readonly deliveryId: string;
  readonly number: number;
  readonly reply: string;
  readonly requestBody: string | null;
}

/**
 * Erases an address from attempts: the first bytes of a reply may repeat what was sent, and a request tells the name of its batch.
 */
@Injectable()
export class DeliveryErasure {
  /** Empties the attempts in which the address stands. @returns how many */
  async erase(tx: EntityManager, { accountIds, simulated }: Holders, address: ErasedAddress): Promise<number> {
    let erased = 0;
    let page: TellingAttempt[];
    let last: TellingAttempt | undefined;
    do {
      page = await tx.query(
        `SELECT attempt.delivery_id AS "deliveryId", attempt.number, attempt.reply, attempt.request_body AS "requestBody"
           FROM ${ATTEMPTS_OF_OWNERS}
          WHERE (lower(attempt.reply) LIKE ANY ($3::text[]) OR lower(attempt.request_body) LIKE ANY ($3::text[]))
            AND ($4::uuid IS NULL OR (attempt.delivery_id, attempt.number) > ($4, $5::integer))
          ORDER BY attempt.delivery_id, attempt.number LIMIT ${ATTEMPT_PAGE_SIZE}`,
        [accountIds, simulated, address.patterns, last?.deliveryId, last?.number],
      );
      const found = page.filter(({ reply, requestBody }) => address.isIn(reply) || address.isIn(requestBody));
      erased += found.length;
      if (found.length > 0)
        await tx.query(
          `UPDATE webhook_attempts SET reply = '', request_body = NULL
            WHERE (delivery_id, number) IN (SELECT * FROM unnest($1::uuid[], $2::integer[]))`,
          [found.map(({ deliveryId }) => deliveryId), found.map(({ number }) => number)],
        );
      last = page.at(-1);
    } while (page.length === ATTEMPT_PAGE_SIZE);
    return erased;
  }

  /** Empties every attempt at an event of a batch: one that is cut off may end within the address. @returns how many */
  async eraseOfBatch(tx: EntityManager, { accountIds, simulated }: Holders, batchId: number): Promise<number> {
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
