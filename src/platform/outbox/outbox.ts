import type { EntityManager } from 'typeorm';

/** What an account's endpoints can be told of. */
export const EVENT_TYPES = ['batch.completed', 'batch.failed', 'batch.cancelled', 'credits.low'] as const;

export type EventType = (typeof EVENT_TYPES)[number] | 'webhook.test';

/** Something that became true, for whoever in its account wants to be told. */
export interface Happened {
  readonly accountId: string;
  /** It was a test key's doing, so that only endpoints of test keys are told. */
  readonly simulated: boolean;
  readonly type: EventType;
  readonly at: Date;
  /** Becomes `data` of the body; no addresses, since it outlives them. */
  readonly data: object;
  readonly batchId: number | null;
  /** An endpoint of the account that is told whatever its list of events says. */
  readonly url: string | null;
}

/**
 * Common table expressions that turn the rows of `happened` (account_id, simulated, type, at, data, batch_id, url) into an event
 * and its deliveries, for statements that make it true. Inserts only: it waits for nobody's lock. What nobody listens to is not kept.
 */
export const OUTBOX_STEPS = `
  numbered AS MATERIALIZED (
    SELECT gen_random_uuid() AS id, happened.* FROM happened
  ), addressed AS MATERIALIZED (
    SELECT numbered.id AS event_id, endpoint.id AS endpoint_id, at
      FROM numbered JOIN webhook_endpoints AS endpoint USING (account_id, simulated)
     WHERE type = ANY (endpoint.events) OR endpoint.url = numbered.url
  ), outbox_events AS (
    INSERT INTO webhook_events (id, account_id, simulated, type, created_at, batch_id, data)
    SELECT id, account_id, simulated, type, at, batch_id, data
      FROM numbered WHERE id IN (SELECT event_id FROM addressed)
  ), outbox_deliveries AS (
    INSERT INTO webhook_deliveries (event_id, endpoint_id, due_at, created_at)
    SELECT event_id, endpoint_id, at, at FROM addressed
    RETURNING id
  )`;

/**
 * Writes an event and its deliveries in the transaction that makes it true (docs/adr/0016).
 * @returns the ids of the deliveries; none when nobody listens
 */
export async function addToOutbox(tx: EntityManager, happened: Happened): Promise<string[]> {
  const { accountId, simulated, type, at, data, batchId, url } = happened;
  const rows: { id: string }[] = await tx.query(
    `WITH happened AS (
       SELECT $1::uuid AS account_id, $2::boolean AS simulated, $3::text AS type, $4::timestamptz AS at,
              $5::text AS data, $6::bigint AS batch_id, $7::text AS url
     ), ${OUTBOX_STEPS}
     SELECT id FROM outbox_deliveries`,
    [accountId, simulated, type, at, JSON.stringify(data), batchId, url],
  );
  return rows.map(({ id }) => id);
}
