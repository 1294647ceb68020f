import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DAY_MS } from '../../lib/durations.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import type {
  AccountWork,
  BegunBatch,
  CreditLimits,
  DayFigures,
  DueMonitors,
  LateEndpoint,
  NameRun,
  Refused,
  WaitingReason,
} from './status-facts.js';

const MAX_REFUSED = 5;
const MAX_ENDPOINTS = 3;
const MAX_REASONS = 3;
const MAX_BEGUN = 3;
const MAX_NAME_RUNS = 5;

/** Reads how the work of accounts fares: what they asked for, what they were refused, what waits, and why. */
@Injectable()
export class AccountWorkStore {
  constructor(
    private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  async read(): Promise<AccountWork> {
    const now = this.clock.now();
    const utcDate = dateOf(now);
    const [refused, lateEndpoints, begun, dueMonitors, nameRuns, yesterday, today] = await Promise.all([
      this.refusedOn(utcDate),
      this.lateEndpoints(new Date(now)),
      this.begun(),
      this.dueMonitors(new Date(now)),
      this.nameRunsSince(new Date(now - DAY_MS)),
      this.figuresOf(dateOf(now - DAY_MS)),
      this.figuresOf(utcDate),
    ]);
    const [refusedToday, moreRefusedToday] = refused;
    return { refusedToday, moreRefusedToday, lateEndpoints, begun, dueMonitors, nameRuns, days: [yesterday, today] };
  }

  async nameOf(accountId: string): Promise<string | null> {
    const rows: { name: string | null }[] = await this.database.query('SELECT name FROM accounts WHERE id = $1', [
      accountId,
    ]);
    return rows[0]?.name ?? null;
  }

  async whyWaiting(batchId: number): Promise<WaitingReason> {
    const [reason]: [WaitingReason] = await this.database.query(
      `SELECT (SELECT region FROM batches JOIN accounts ON accounts.id = account_id
                WHERE batches.id = $1 AND NOT batches.simulated) AS region,
              count(*) FILTER (WHERE batch_id = $1 AND due_at <= $2)::integer AS due,
              coalesce(max(attempts) FILTER (WHERE batch_id = $1), 0)::integer AS "mostAttempts",
              count(*) FILTER (WHERE batch_id <> $1 AND lease_expires_at > $2)::integer AS "leasedElsewhere"
         FROM batch_chunks WHERE NOT done AND (batch_id = $1 OR lease_expires_at > $2)`,
      [batchId, new Date(this.clock.now())],
    );
    return reason;
  }

  async limitsOf(keyIds: readonly string[]): Promise<CreditLimits[]> {
    const today = dateOf(this.clock.now());
    const rows: Limits[] = await this.database.query(
      `SELECT api_keys.id AS "keyId", available, reserved, credits_per_day AS "perDay", credits_per_month AS "perMonth",
              credits_total AS total, used_date AS "usedDate", used_day AS "usedDay", used_month AS "usedMonth", key_ceilings.used_total AS "usedTotal"
         FROM api_keys LEFT JOIN credit_balances ON credit_balances.account_id = api_keys.account_id AND api_keys.kind <> 'agent'
         LEFT JOIN key_ceilings ON key_ceilings.id = ceiling_id
        WHERE api_keys.id = ANY ($1::uuid[])`,
      [keyIds],
    );
    return rows.map(({ keyId, available, reserved, ...used }) => ({
      keyId,
      available,
      reserved,
      usedUp: usedUp(used, today),
    }));
  }

  /** The most frequent, and how many there are beside them. */
  private async refusedOn(utcDate: string): Promise<[Refused[], others: number]> {
    const rows: (Refused & { readonly all: number })[] = await this.database.query(
      `SELECT refused.account_id AS "accountId", accounts.name, key_id AS "keyId", last_four AS "lastFour", refused.simulated,
              status, code, refusals, count(*) OVER ()::integer AS all
         FROM usage_refusals AS refused LEFT JOIN accounts ON accounts.id = refused.account_id
         LEFT JOIN api_keys ON api_keys.id = key_id
        WHERE utc_date = $1 ORDER BY refusals DESC, key_id, code LIMIT ${MAX_REFUSED}`,
      [utcDate],
    );
    return [rows.map(({ all: _all, ...refused }) => refused), (rows[0]?.all ?? 0) - rows.length];
  }

  /** Those that wait longest first; who is disabled or paused is not late. */
  private lateEndpoints(now: Date): Promise<LateEndpoint[]> {
    return this.database.query(
      `SELECT endpoint.id, endpoint.account_id AS "accountId", accounts.name, count(*)::integer AS due,
              min(delivery.due_at) AS "oldestDueAt", failing_since AS "failingSince", last_success_at AS "lastSuccessAt",
              (SELECT coalesce(error, status::text) FROM webhook_attempts JOIN webhook_deliveries AS tried ON tried.id = delivery_id
                WHERE tried.endpoint_id = endpoint.id AND tried.created_at >= endpoint.failing_since - interval '1 day'
                ORDER BY at DESC LIMIT 1) AS "lastFailure"
         FROM webhook_deliveries AS delivery JOIN webhook_endpoints AS endpoint ON endpoint.id = endpoint_id
         LEFT JOIN accounts ON accounts.id = endpoint.account_id
        WHERE delivery.state = 'pending' AND delivery.due_at <= $1 AND enabled
          AND (paused_until IS NULL OR paused_until <= $1)
        GROUP BY endpoint.id, accounts.name ORDER BY "oldestDueAt" LIMIT ${MAX_ENDPOINTS}`,
      [now],
    );
  }

  private begun(): Promise<BegunBatch[]> {
    return this.database.query(
      `SELECT batches.id, accounts.name, unique_addresses AS total, valid + invalid + risky + unknown AS done
         FROM batches LEFT JOIN accounts ON accounts.id = account_id
        WHERE finished_at IS NULL AND state = 'processing' ORDER BY batches.id LIMIT ${MAX_BEGUN}`,
    );
  }

  private async dueMonitors(now: Date): Promise<DueMonitors | null> {
    const rows: DueMonitors[] = await this.database.query(
      `SELECT count(*) OVER ()::integer AS due, monitors.id, account_id AS "accountId", accounts.name, next_run_at AS since
         FROM monitors LEFT JOIN accounts ON accounts.id = account_id
        WHERE paused IS NULL AND NOT simulated AND next_run_at <= $1 AND (leased_until IS NULL OR leased_until <= $1)
        ORDER BY next_run_at, monitors.id LIMIT 1`,
      [now],
    );
    return rows[0] ?? null;
  }

  private nameRunsSince(from: Date): Promise<NameRun[]> {
    return this.database.query(
      `SELECT account_id AS "accountId", accounts.name, details ->> 'domain' AS domain, (details ->> 'answered')::integer AS answered,
              (details ->> 'not_found')::integer AS "notFound"
         FROM audit_log LEFT JOIN accounts ON accounts.id = account_id
        WHERE action = 'enumeration.suspect' AND at >= $1 ORDER BY at DESC LIMIT ${MAX_NAME_RUNS}`,
      [from],
    );
  }

  private async figuresOf(utcDate: string): Promise<DayFigures> {
    const [figures]: [Omit<DayFigures, 'utcDate'>] = await this.database.query(
      `SELECT coalesce(sum(items), 0)::bigint AS answers,
              coalesce(sum(items) FILTER (WHERE verdict = 'unknown'), 0)::bigint AS unknown,
              coalesce(sum(credits), 0)::bigint AS credits,
              coalesce((SELECT json_agg(reasons) FROM (
                 SELECT reason, sum(items)::bigint AS answers FROM usage_days
                  WHERE utc_date = $1 AND NOT simulated AND verdict = 'unknown'
                  GROUP BY reason ORDER BY 2 DESC, 1 LIMIT ${MAX_REASONS}) AS reasons), '[]') AS reasons
         FROM usage_days WHERE utc_date = $1 AND NOT simulated`,
      [utcDate],
    );
    return { utcDate, ...figures };
  }
}

interface Used {
  readonly perDay: number | null;
  readonly perMonth: number | null;
  readonly total: number | null;
  readonly usedDate: string | null;
  readonly usedDay: number | null;
  readonly usedMonth: number | null;
  readonly usedTotal: number | null;
}

interface Limits extends Used {
  readonly keyId: string;
  readonly available: number | null;
  readonly reserved: number | null;
}

function usedUp(
  { perDay, perMonth, total, usedDate, usedDay, usedMonth, usedTotal }: Used,
  today: string,
): CreditLimits['usedUp'] {
  const isToday = usedDate === today;
  const isThisMonth = usedDate?.slice(0, 'YYYY-MM'.length) === today.slice(0, 'YYYY-MM'.length);
  const isFull = (limit: number | null, used: number | null): limit is number => limit !== null && (used ?? 0) >= limit;
  return [
    ...(isFull(perDay, isToday ? usedDay : 0) ? [{ per: 'day' as const, credits: perDay }] : []),
    ...(isFull(perMonth, isThisMonth ? usedMonth : 0) ? [{ per: 'month' as const, credits: perMonth }] : []),
    ...(isFull(total, usedTotal) ? [{ per: 'all' as const, credits: total }] : []),
  ];
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
