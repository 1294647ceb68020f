import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { Gauges } from '../platform/metrics/gauges.js';

/** By how much ledgers and balances differ; anything but 0 credits is a fault of ours. */
export interface LedgerDrift {
  /** The sum of all differences, whichever way they go. */
  readonly credits: number;
  readonly accounts: number;
  readonly measuredAt: Date;
}

/** The advisory lock of the process that compares. */
const COMPARE_LOCK = 0x6d736c64;

/** The time between two comparisons, whichever process makes them. */
export const COMPARE_EVERY_MS = 60_000;

/** Whether every balance is the sum of its ledger, compared once a minute by one process and told by all. */
@Injectable()
export class LedgerDriftService {
  constructor(
    private readonly database: DataSource,
    gauges: Gauges,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {
    gauges.addShared({
      name: 'mailsonde_ledger_drift',
      help: 'The sum of all differences between ledgers and balances, in credits; anything but 0 is a fault.',
      read: async () => {
        const drift = await this.find();
        return drift === null ? [] : [{ value: drift.credits }];
      },
    });
    gauges.addShared({
      name: 'mailsonde_ledger_compared_seconds',
      help: 'How long ago ledgers and balances were compared.',
      read: async () => {
        const drift = await this.find();
        return drift === null ? [] : [{ value: Math.max(0, clock.now() - drift.measuredAt.getTime()) / 1000 }];
      },
    });
  }

  /** Null before the first comparison. */
  async find(): Promise<LedgerDrift | null> {
    const rows: LedgerDrift[] = await this.database.query(
      'SELECT credits, accounts, measured_at AS "measuredAt" FROM ledger_drift',
    );
    return rows[0] ?? null;
  }

  /**
   * One statement, so that balances and ledgers are of one moment. It reads of the ledger only what was written since the last time, and
   * does nothing where another process compares, or has compared within the last minute.
   */
  async compare(): Promise<void> {
    const now = this.clock.now();
    // Half of the period, so that two processes with the same period do not leave one out by turns.
    const unlessSince = new Date(now - COMPARE_EVERY_MS / 2);
    await this.database.transaction(async (tx) => {
      // The first comparison reads the whole ledger: about 3 seconds for a million entries.
      await tx.query('SET LOCAL statement_timeout = 0');
      const [turn]: { isMine: boolean }[] = await tx.query(
        `SELECT pg_try_advisory_xact_lock($1) AND NOT EXISTS (
           SELECT FROM ledger_drift WHERE measured_at > $2 AND measured_at <= $3) AS "isMine"`,
        [COMPARE_LOCK, unlessSince, new Date(now)],
      );
      if (turn!.isMine) await tx.query(COMPARE, [new Date(now)]);
    });
  }
}

const COMPARE = `
  WITH behind AS (
    SELECT account_id, b.available, coalesce(s.number, 0) AS number, coalesce(s.sum, 0) AS sum
      FROM credit_balances b LEFT JOIN ledger_sums s USING (account_id)
     WHERE b.entries <> coalesce(s.number, 0) OR b.available <> coalesce(s.sum, 0)
  ), sums AS (
    SELECT behind.account_id, available, greatest(behind.number, coalesce(max(l.number), 0)) AS number,
           (behind.sum + coalesce(sum(l.amount), 0))::bigint AS sum
      FROM behind LEFT JOIN credit_ledger l ON l.account_id = behind.account_id AND l.number > behind.number
     GROUP BY behind.account_id, available, behind.number, behind.sum
  ), written AS (
    INSERT INTO ledger_sums (account_id, number, sum) SELECT account_id, number, sum FROM sums
    ON CONFLICT (account_id) DO UPDATE SET number = excluded.number, sum = excluded.sum
     WHERE (ledger_sums.number, ledger_sums.sum) IS DISTINCT FROM (excluded.number, excluded.sum)
  )
  INSERT INTO ledger_drift (credits, accounts, measured_at)
  SELECT coalesce(sum(abs(sum - available)), 0)::bigint, count(*) FILTER (WHERE sum <> available)::integer, $1 FROM sums
  ON CONFLICT (singleton) DO UPDATE
     SET credits = excluded.credits, accounts = excluded.accounts, measured_at = excluded.measured_at`;
