import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Outcome } from './webhook-sender.js';
import type { Ruling } from './retry-plan.js';

/** An endpoint that one worker delivers to, for as long as it renews its lease. */
export interface TakenEndpoint {
  readonly id: string;
  readonly holder: string;
}

/** With what its endpoint is at this moment. */
export interface DueDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly accountId: string;
  readonly url: string;
  /** Its URL has answered 2xx before. */
  readonly isConfirmed: boolean;
  /** Sealed. */
  readonly secret: Buffer;
  readonly oldSecret: Buffer | null;
  readonly oldSecretUntil: Date | null;
  /** Attempts of its present schedule so far. */
  readonly step: number;
}

export interface EndpointLease {
  /** Of the worker. */
  readonly holder: string;
  readonly now: Date;
  readonly until: Date;
}

export interface RecordedAttempt {
  readonly at: Date;
  readonly outcome: Outcome;
  readonly ruling: Ruling;
  readonly isSlow: boolean;
}

/** What a worker asks and writes down. PostgreSQL is the truth; nothing here is repeated in Redis. */
@Injectable()
export class WebhookWorkStore {
  constructor(private readonly database: DataSource) {}

  /**
   * Leases endpoints that something is due for, the longest waiting first.
   * @param slow those whose last attempt failed or took long, or the others
   */
  async takeEndpoints(slow: boolean, limit: number, lease: EndpointLease): Promise<TakenEndpoint[]> {
    const [rows]: [TakenEndpoint[], number] = await this.database.query(
      `UPDATE webhook_endpoints SET holder = $3, leased_until = $5
        WHERE id IN (
          SELECT e.id FROM webhook_endpoints e
            CROSS JOIN LATERAL (SELECT due_at FROM webhook_deliveries d
                                 WHERE d.endpoint_id = e.id AND d.state = 'pending' AND d.due_at <= $4
                                 ORDER BY due_at LIMIT 1) AS first
           WHERE e.enabled AND e.slow = $1 AND (e.leased_until IS NULL OR e.leased_until <= $4)
             AND (e.paused_until IS NULL OR e.paused_until <= $4)
           ORDER BY first.due_at LIMIT $2 FOR UPDATE OF e SKIP LOCKED)
        RETURNING id, holder`,
      [slow, limit, lease.holder, lease.now, lease.until],
    );
    return rows;
  }

  /**
   * The next in the order of their times, and of their creation where those are equal. Null when nothing is due, or the endpoint is not
   * to get anything now.
   */
  async nextDelivery({ id, holder }: TakenEndpoint, now: Date): Promise<DueDelivery | null> {
    const rows: DueDelivery[] = await this.database.query(
      `SELECT d.id, d.event_id AS "eventId", d.step, e.account_id AS "accountId", e.url,
              e.confirmed_at IS NOT NULL AS "isConfirmed", e.secret, e.old_secret AS "oldSecret",
              e.old_secret_until AS "oldSecretUntil"
         FROM webhook_endpoints e JOIN webhook_deliveries d ON d.endpoint_id = e.id
        WHERE e.id = $1 AND e.holder = $2 AND e.enabled AND (e.paused_until IS NULL OR e.paused_until <= $3)
          AND d.state = 'pending' AND d.due_at <= $3
        ORDER BY d.due_at, d.number LIMIT 1`,
      [id, holder, now],
    );
    return rows[0] ?? null;
  }

  /** Keeps all that this worker has. */
  async renewLeases({ holder, until }: EndpointLease): Promise<void> {
    await this.database.query('UPDATE webhook_endpoints SET leased_until = $2 WHERE holder = $1', [holder, until]);
  }

  /** Nothing is sent to it before. */
  async pause({ id, holder }: TakenEndpoint, until: Date): Promise<void> {
    await this.database.query(
      `UPDATE webhook_endpoints SET paused_until = greatest(paused_until, $3) WHERE id = $1 AND holder = $2`,
      [id, holder, until],
    );
  }

  /** @param isPaused the lease runs out by itself, so that a fault of ours is not met again at once */
  async giveBack({ id, holder }: TakenEndpoint, isPaused: boolean): Promise<void> {
    await this.database.query(
      `UPDATE webhook_endpoints SET holder = NULL, leased_until = CASE WHEN $3 THEN leased_until END
        WHERE id = $1 AND holder = $2`,
      [id, holder, isPaused],
    );
  }

  /**
   * Writes down an attempt and what follows from it, in one statement.
   * @param disableAfterDays without a success
   * @returns whether this has disabled the endpoint, and why
   */
  async record(
    { id: endpointId }: TakenEndpoint,
    { id, url }: DueDelivery,
    { at, outcome, ruling, isSlow }: RecordedAttempt,
    disableAfterDays: number,
  ): Promise<'gone' | 'failing' | null> {
    const succeeded = ruling.state === 'succeeded';
    const [rows]: [{ reason: 'gone' | 'failing' | null }[], number] = await this.database.query(
      `WITH attempt AS (
         INSERT INTO webhook_attempts (delivery_id, number, at, status, error, latency_ms, reply)
         SELECT id, attempts + 1, $3::timestamptz, $4, $5, $6, $7 FROM webhook_deliveries WHERE id = $2
         ON CONFLICT DO NOTHING
       ), delivery AS (
         UPDATE webhook_deliveries
            SET attempts = attempts + 1, step = step + 1, state = $8, due_at = $9,
                finished_at = CASE WHEN $8 = 'pending' THEN NULL ELSE $3::timestamptz END
          WHERE id = $2
       ), before AS (
         SELECT id, enabled,
                CASE WHEN NOT enabled OR $10 THEN NULL
                     WHEN $11 THEN 'gone'
                     WHEN $3::timestamptz - failing_since >= $14 * interval '1 day' THEN 'failing' END AS reason
           FROM webhook_endpoints WHERE id = $1 FOR UPDATE
       )
       UPDATE webhook_endpoints AS e
          SET slow = $13, paused_until = $12,
              -- The URL may have been changed while the old one was asked.
              confirmed_at = CASE WHEN $10 AND url = $15 THEN coalesce(confirmed_at, $3::timestamptz) ELSE confirmed_at END,
              last_success_at = CASE WHEN $10 THEN $3::timestamptz ELSE last_success_at END,
              failing_since = CASE WHEN $10 THEN NULL ELSE coalesce(failing_since, $3::timestamptz) END,
              enabled = e.enabled AND reason IS NULL, disabled_reason = coalesce(reason, disabled_reason),
              disabled_at = CASE WHEN reason IS NULL THEN disabled_at ELSE $3::timestamptz END
         FROM before WHERE e.id = before.id RETURNING reason`,
      [
        endpointId,
        id,
        at,
        outcome.status,
        outcome.error,
        outcome.latencyMs,
        outcome.reply,
        ruling.state,
        ruling.dueAt,
        succeeded,
        ruling.isGone,
        ruling.pausedUntil,
        isSlow,
        disableAfterDays,
        url,
      ],
    );
    return rows[0]?.reason ?? null;
  }
}
