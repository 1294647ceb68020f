import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Outcome } from './webhook-sender.js';
import type { AttemptDecision } from './retry-schedule.js';

/** Endpoints of the slow lane have permits of their own: their last attempt failed or took long. */
export type Lane = 'quick' | 'slow';

/** An endpoint that one worker delivers to, for as long as it renews its lease. */
export interface LeasedEndpoint {
  readonly id: string;
  readonly leaseOwner: string;
}

/** A delivery, with its endpoint as it is at this moment. */
export interface DueDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly accountId: string;
  readonly url: string;
  /** So many rows of results the body may carry: none before the URL has answered its first 2xx. */
  readonly maxResults: number;
  /** Sealed. */
  readonly secret: Buffer;
  readonly previousSecret: Buffer | null;
  readonly previousSecretExpiresAt: Date | null;
  /** Of the batch that the event is about; null where there is none. */
  readonly traceId: string | null;
  /** Attempts of its present schedule so far. */
  readonly scheduleStep: number;
}

export interface EndpointLease {
  /** The id of the worker. */
  readonly owner: string;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** What is kept of a request. */
export interface SentRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
  /** Its beginning; null for one that is kept elsewhere, with the addresses in it. */
  readonly body: string | null;
}

export interface RecordedAttempt {
  readonly at: Date;
  /** Null when none could be made. */
  readonly request: SentRequest | null;
  readonly outcome: Outcome;
  readonly decision: AttemptDecision;
  readonly lane: Lane;
}

/** The leases of endpoints, the deliveries that are due, and the record of attempts. Redis has a copy of none of it. */
@Injectable()
export class WebhookWorkerStore {
  constructor(private readonly database: DataSource) {}

  /**
   * Leases endpoints of a lane that have a delivery due, the longest waiting first. Another worker's lease that has expired is free, and
   * rows that another worker leases at this moment are skipped.
   */
  async leaseEndpoints(lane: Lane, limit: number, lease: EndpointLease): Promise<LeasedEndpoint[]> {
    const [rows]: [LeasedEndpoint[], number] = await this.database.query(
      `UPDATE webhook_endpoints SET lease_owner = $3, lease_expires_at = $5
        WHERE id = ANY (ARRAY(
          SELECT e.id FROM webhook_endpoints e
            CROSS JOIN LATERAL (SELECT due_at FROM webhook_deliveries d
                                 WHERE d.endpoint_id = e.id AND d.state = 'pending' AND d.due_at <= $4
                                 ORDER BY due_at LIMIT 1) AS first
           WHERE e.enabled AND e.lane = $1 AND (e.lease_expires_at IS NULL OR e.lease_expires_at <= $4)
             AND (e.paused_until IS NULL OR e.paused_until <= $4)
           ORDER BY first.due_at LIMIT $2 FOR UPDATE OF e SKIP LOCKED))
        RETURNING id, lease_owner AS "leaseOwner"`,
      [lane, limit, lease.owner, lease.now, lease.expiresAt],
    );
    return rows;
  }

  /**
   * The delivery that is due first; of two that are due at the same time the one that was created first. Null when none is due, when the
   * endpoint is disabled or paused, or when the lease is lost.
   */
  async nextDelivery({ id, leaseOwner }: LeasedEndpoint, now: Date): Promise<DueDelivery | null> {
    const rows: DueDelivery[] = await this.database.query(
      `SELECT d.id, d.event_id AS "eventId", d.schedule_step AS "scheduleStep", e.account_id AS "accountId", e.url,
              CASE WHEN e.confirmed_at IS NULL THEN 0 ELSE e.include_results END AS "maxResults", e.secret, e.previous_secret AS "previousSecret",
              e.previous_secret_expires_at AS "previousSecretExpiresAt",
              (SELECT trace_id FROM batches JOIN webhook_events ON batches.id = batch_id WHERE webhook_events.id = d.event_id) AS "traceId"
         FROM webhook_endpoints e JOIN webhook_deliveries d ON d.endpoint_id = e.id
        WHERE e.id = $1 AND e.lease_owner = $2 AND e.enabled AND (e.paused_until IS NULL OR e.paused_until <= $3)
          AND d.state = 'pending' AND d.due_at <= $3
        ORDER BY d.due_at, d.number LIMIT 1`,
      [id, leaseOwner, now],
    );
    return rows[0] ?? null;
  }

  /** Renews the leases of the worker on these endpoints. */
  async renewLeases(ids: readonly string[], { owner, expiresAt }: EndpointLease): Promise<void> {
    await this.database.query(
      'UPDATE webhook_endpoints SET lease_expires_at = $2 WHERE lease_owner = $1 AND id = ANY ($3::uuid[])',
      [owner, expiresAt, ids],
    );
  }

  /** Sends nothing to the endpoint before. */
  async pause({ id, leaseOwner }: LeasedEndpoint, until: Date): Promise<void> {
    await this.database.query(
      `UPDATE webhook_endpoints SET paused_until = greatest(paused_until, $3) WHERE id = $1 AND lease_owner = $2`,
      [id, leaseOwner, until],
    );
  }

  /** @param afterFault leaves the lease to expire, so that no worker runs into the same fault at once */
  async release({ id, leaseOwner }: LeasedEndpoint, afterFault: boolean): Promise<void> {
    await this.database.query(
      `UPDATE webhook_endpoints SET lease_owner = NULL, lease_expires_at = CASE WHEN $3 THEN lease_expires_at END
        WHERE id = $1 AND lease_owner = $2`,
      [id, leaseOwner, afterFault],
    );
  }

  /**
   * Records an attempt and what was decided, in one statement. While our own resolver lies, the endpoint is not to blame: it does not begin
   * to fail, and is not disabled.
   * @param disableAfterDays without a success
   * @returns whether this has disabled the endpoint, and why
   */
  async record(
    { id: endpointId }: LeasedEndpoint,
    { id, url }: DueDelivery,
    { at, request, outcome, decision, lane }: RecordedAttempt,
    disableAfterDays: number,
  ): Promise<'gone' | 'failing' | null> {
    const succeeded = decision.state === 'succeeded';
    const [rows]: [{ reason: 'gone' | 'failing' | null }[], number] = await this.database.query(
      `WITH attempt AS (
         INSERT INTO webhook_attempts (delivery_id, number, at, status, error, latency_ms, reply, request_headers, request_bytes, request_body)
         SELECT id, attempts + 1, $3::timestamptz, $4, $5, $6, $7, $16::jsonb, $17::integer, $18 FROM webhook_deliveries WHERE id = $2
         ON CONFLICT DO NOTHING
       ), delivery AS (
         UPDATE webhook_deliveries
            SET attempts = attempts + 1, schedule_step = schedule_step + 1, state = $8, due_at = $9,
                finished_at = CASE WHEN $8 = 'pending' THEN NULL ELSE $3::timestamptz END
          WHERE id = $2
       ), before AS (
         SELECT id, enabled,
                CASE WHEN NOT enabled OR $10 OR $19 THEN NULL
                     WHEN $11 THEN 'gone'
                     WHEN $3::timestamptz - failing_since >= $14 * interval '1 day' THEN 'failing' END AS reason
           FROM webhook_endpoints WHERE id = $1 FOR UPDATE
       )
       UPDATE webhook_endpoints AS e
          SET lane = $13, paused_until = $12,
              -- The URL may have been changed during the attempt.
              confirmed_at = CASE WHEN $10 AND url = $15 THEN coalesce(confirmed_at, $3::timestamptz) ELSE confirmed_at END,
              last_success_at = CASE WHEN $10 THEN $3::timestamptz ELSE last_success_at END,
              failing_since = CASE WHEN $10 THEN NULL WHEN $19 THEN failing_since ELSE coalesce(failing_since, $3::timestamptz) END,
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
        decision.state,
        decision.dueAt,
        succeeded,
        decision.isGone,
        decision.pausedUntil,
        lane,
        disableAfterDays,
        url,
        request && JSON.stringify(request.headers),
        request?.bytes,
        request?.body?.replaceAll('\0', ''),
        outcome.error === 'resolver_untrusted',
      ],
    );
    return rows[0]?.reason ?? null;
  }
}
