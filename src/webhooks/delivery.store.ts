import { Injectable, Inject } from '@nestjs/common';
import { And, DataSource, type EntityManager, LessThan, MoreThanOrEqual, Not } from 'typeorm';
import type { PageRequest } from '../platform/http/page.js';
import type { DeliveryState } from './delivery-state.js';
import { WebhookDelivery } from './delivery.entity.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { Gauges, secondsSince } from '../platform/metrics/gauges.js';

export interface Attempt {
  readonly number: number;
  /** As PostgreSQL writes a timestamp in JSON. */
  readonly at: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly latencyMs: number;
  readonly reply: string;
  /** Null when none could be made. */
  readonly request: {
    readonly headers: Readonly<Record<string, string>>;
    readonly bytes: number;
    /** Null in a listing, and once what stood in it is no longer kept. */
    readonly body: string | null;
  } | null;
}

/** An event on its way to an endpoint. */
export interface Delivery {
  readonly id: string;
  readonly endpointId: string;
  readonly accountId: string;
  readonly simulated: boolean;
  readonly url: string;
  readonly isEnabled: boolean;
  readonly eventId: string;
  readonly type: string;
  readonly isSample: boolean;
  readonly batchId: number | null;
  readonly state: DeliveryState;
  readonly attempts: readonly Attempt[];
  readonly createdAt: Date;
  readonly dueAt: Date;
  readonly finishedAt: Date | null;
}

/** Null members do not restrict. */
export interface DeliveryFilter {
  readonly accountId: string | null;
  readonly endpointId: string | null;
  readonly state: DeliveryState | null;
}

/** Deliveries that wait. */
export interface DeliveryQueue {
  readonly due: number;
  /** Tried again later, or to an endpoint that is disabled. */
  readonly later: number;
  readonly oldestDueAt: Date | null;
}

export interface Range {
  readonly since: Date;
  readonly until: Date;
  /** Only deliveries that have not succeeded; else all. */
  readonly failedOnly: boolean;
}

const MAX_BODY_CHARACTERS = 4_096;

/** A body with results is the one of its event with that length: its beginning shows as long as it is kept. */
const BODY = `coalesce(request_body, (SELECT left(b.body, ${MAX_BODY_CHARACTERS}) FROM webhook_bodies b
                                       WHERE b.event_id = d.event_id AND octet_length(b.body) = request_bytes LIMIT 1))`;

const select = (body: string) => `
  SELECT d.id, d.endpoint_id AS "endpointId", e.account_id AS "accountId", e.simulated, e.url, e.enabled AS "isEnabled",
         d.event_id AS "eventId", v.type, v.sample AS "isSample", v.batch_id AS "batchId", d.state, d.created_at AS "createdAt",
         d.due_at AS "dueAt", d.finished_at AS "finishedAt",
         coalesce((SELECT json_agg(json_build_object('number', number, 'at', at, 'status', status, 'error', error,
                                                     'latencyMs', latency_ms, 'reply', reply, 'request',
                                                     CASE WHEN request_bytes IS NOT NULL THEN
                                                       json_build_object('headers', request_headers, 'bytes', request_bytes,
                                                                         'body', ${body}) END) ORDER BY number)
                     FROM webhook_attempts WHERE delivery_id = d.id), '[]') AS attempts
    FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id JOIN webhook_events v ON v.id = d.event_id`;

const SELECT = select('NULL');
const SELECT_WITH_BODIES = select(BODY);

const RESTARTED = { state: 'pending', scheduleStep: 0, finishedAt: null } as const;

/** The log of deliveries, and their redelivery. */
@Injectable()
export class DeliveryStore {
  constructor(private readonly database: DataSource) {}

  /** Newest first; one more than the page holds, when there are more. */
  list({ accountId, endpointId, state }: DeliveryFilter, { limit, after }: PageRequest): Promise<Delivery[]> {
    return this.database.query(
      `${SELECT}
        WHERE ($1::uuid IS NULL OR e.account_id = $1) AND ($2::uuid IS NULL OR d.endpoint_id = $2)
          AND ($3::text IS NULL OR d.state = $3)
          AND ($4::timestamptz IS NULL OR (d.created_at, d.id) < ($4, $5::uuid))
        ORDER BY d.created_at DESC, d.id DESC LIMIT $6`,
      [accountId, endpointId, state, after?.at, after?.id, limit + 1],
    );
  }

  /** Since when the delivery that has waited longest could be made; null: none could. */
  async oldestDue(now: Date): Promise<Date | null> {
    const rows: { dueAt: Date | null }[] = await this.database.query(
      `SELECT min(first.due_at) AS "dueAt"
         FROM webhook_endpoints e
        CROSS JOIN LATERAL (SELECT due_at FROM webhook_deliveries d
                             WHERE d.endpoint_id = e.id AND d.state = 'pending' AND d.due_at <= $1 ORDER BY due_at LIMIT 1) AS first
        WHERE e.enabled AND (e.paused_until IS NULL OR e.paused_until <= $1)`,
      [now],
    );
    return rows[0]!.dueAt;
  }

  async queue(now: Date): Promise<DeliveryQueue> {
    const rows: DeliveryQueue[] = await this.database.query(
      `SELECT count(*) FILTER (WHERE e.enabled AND due_at <= $1)::integer AS due,
              count(*) FILTER (WHERE NOT e.enabled OR due_at > $1)::integer AS later,
              min(due_at) FILTER (WHERE e.enabled AND due_at <= $1) AS "oldestDueAt"
         FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id WHERE state = 'pending'`,
      [now],
    );
    return rows[0]!;
  }

  async find(tx: EntityManager, id: string): Promise<Delivery | null> {
    const rows: Delivery[] = await tx.query(`${SELECT_WITH_BODIES} WHERE d.id = $1`, [id]);
    return rows[0] ?? null;
  }

  /** Restarts the schedule of the delivery, at once. */
  async redeliver(tx: EntityManager, id: string, at: Date): Promise<void> {
    await tx.update(WebhookDelivery, { id }, { ...RESTARTED, dueAt: at });
  }

  /** Restarts the deliveries of the range. @returns how many */
  async redeliverRange(tx: EntityManager, endpointId: string, range: Range, at: Date): Promise<number> {
    const { since, until, failedOnly } = range;
    const { affected } = await tx.update(
      WebhookDelivery,
      {
        endpointId,
        createdAt: And(MoreThanOrEqual(since), LessThan(until)),
        ...(failedOnly && { state: Not<DeliveryState>('succeeded') }),
      },
      { ...RESTARTED, dueAt: at },
    );
    return affected!;
  }
}

/** What waits to be delivered, told by every process. */
@Injectable()
export class DeliveryGauges {
  constructor(gauges: Gauges, store: DeliveryStore, @Inject(CLOCK) clock: WallClock) {
    gauges.addShared({
      name: 'mailsonde_webhook_oldest_due_seconds',
      help: 'How long the delivery that has waited longest is due, at an endpoint that is enabled and not paused; 0: none is due.',
      read: async () => {
        const now = clock.now();
        const dueAt = await store.oldestDue(new Date(now));
        return secondsSince(dueAt, now);
      },
    });
    gauges.addShared({
      name: 'mailsonde_webhook_queue',
      help: 'Deliveries that are due now, and those that wait for a later attempt or for their endpoint.',
      labels: ['what'],
      read: async () => {
        const { due, later } = await store.queue(clock.date());
        return [
          [due, 'due'],
          [later, 'later'],
        ];
      },
    });
  }
}
