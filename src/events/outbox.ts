import { definePrepared } from '../platform/database/prepared.js';
import type { EntityManager } from 'typeorm';

/** The types of events that an account's endpoints can subscribe to. */
export const EVENT_TYPES = [
  'batch.completed',
  'batch.failed',
  'batch.cancelled',
  'list.changed',
  'verification.corrected',
  'credits.low',
  'monitor.changed',
  'monitor.stalled',
  'blacklist.listed',
  'blacklist.delisted',
  'placement.completed',
  'placement.expired',
  'dmarc.source_appeared',
] as const;

/** Those whose bodies carry rows of results, as many as the endpoint wants. */
export const ROW_EVENTS = [
  'batch.completed',
  'list.changed',
] as const satisfies readonly (typeof EVENT_TYPES)[number][];

export type EventType = (typeof EVENT_TYPES)[number] | 'webhook.test';

/** An event, for the endpoints of its account that subscribe to its type. */
export interface Happened {
  /** The events of an agent go to the account that has claimed it. */
  readonly accountId: string;
  /** A test key caused it, so only endpoints of test mode get it. */
  readonly simulated: boolean;
  readonly type: EventType;
  readonly at: Date;
  /** The `data` of the body, without addresses, because the event outlives them. */
  readonly data: object;
  readonly batchId: number | null;
  /** The URL of an endpoint of the account that gets the event whatever its list of events says. */
  readonly url: string | null;
}

/**
 * Common table expressions that turn the rows of `happened` (account_id, simulated, type, at, data, batch_id, url) into an event
 * and its deliveries, for the statements that cause the event. They only insert, so they wait for no lock. An event without a
 * subscriber is not stored.
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

/** SQL: whether the owner of a row (account_id, simulated) has endpoints. Without any, nobody is told, and no event need be written. */
export const isSubscribed = (row: string): string => `EXISTS (
  SELECT FROM webhook_endpoints AS endpoint
   WHERE endpoint.simulated = ${row}.simulated
     AND endpoint.account_id = coalesce((SELECT claimed_by FROM accounts WHERE accounts.id = ${row}.account_id), ${row}.account_id))`;

/**
 * Writes an event and its deliveries in the transaction that causes it (docs/adr/measured-choices.md, 16).
 * @returns the ids of the deliveries; none when no endpoint subscribes
 */
export async function addToOutbox(tx: EntityManager, happened: Happened): Promise<string[]> {
  const { accountId, simulated, type, at, data, batchId, url } = happened;
  const rows = await insertEvent(tx, accountId, simulated, type, at, JSON.stringify(data), batchId, url);
  return rows.map(({ id }) => id);
}

const insertEvent = definePrepared<{ readonly id: string }>(
  'insertEvent',
  `WITH happened AS (
     SELECT coalesce((SELECT claimed_by FROM accounts WHERE id = $1), $1::uuid) AS account_id, $2::boolean AS simulated, $3::text AS type, $4::timestamptz AS at,
            $5::text AS data, $6::bigint AS batch_id, $7::text AS url
   ), ${OUTBOX_STEPS}
   SELECT id FROM outbox_deliveries`,
);
