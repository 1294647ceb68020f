import { Injectable, Inject } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { Gauges, secondsSince } from '../platform/metrics/gauges.js';

/** One account, once as its balance says and once as ledger and reservations say. */
export interface AccountAudit {
  readonly accountId: string;
  readonly balance: number;
  readonly ledgerSum: number;
  readonly reserved: number;
  /** The credits reserved and neither charged nor released, by the ledger and by the reservations themselves. */
  readonly ledgerReserved: number;
  readonly openReservations: number;
  readonly usedTotal: number;
  readonly ledgerCharged: number;
  /** The credits that the daily usage counts. */
  readonly usageCharged: number;
  readonly entries: number;
  readonly ledgerEntries: number;
  /** Entries whose number is missing or whose balance is not the one before plus their amount. */
  readonly brokenEntries: number;
}

/** The ceilings of keys, once as their row counts and once as ledger and reservations say. */
export interface CeilingAudit {
  readonly ceilingId: string;
  readonly used: number;
  readonly usedMonth: number;
  readonly usedDay: number;
  readonly ledgerCharged: number;
  readonly openReservations: number;
}

export interface AuditReport {
  /** How many were looked at: all. */
  readonly accounts: number;
  readonly differing: readonly AccountAudit[];
  readonly differingCeilings: readonly CeilingAudit[];
}

/** Proves of every account, in one view of the database, that its balance is what its history says, and of all ceilings. */
@Injectable()
export class CreditsAudit {
  constructor(private readonly database: DataSource) {}

  async run(): Promise<AuditReport> {
    return this.database.transaction('REPEATABLE READ', async (tx) => {
      // Every entry ever written is read: about 3 seconds for a million.
      await tx.query('SET LOCAL statement_timeout = 0');
      const [counted]: { accounts: number }[] = await tx.query('SELECT count(*) AS accounts FROM credit_balances');
      const differing: AccountAudit[] = await tx.query(DIFFERING);
      const differingCeilings: CeilingAudit[] = await tx.query(DIFFERING_CEILINGS);
      return { accounts: counted!.accounts, differing, differingCeilings };
    });
  }
}

const DIFFERING = `
  WITH steps AS (
    SELECT account_id, kind, amount, number,
           number IS DISTINCT FROM row_number() OVER entries
             OR balance_after IS DISTINCT FROM sum(amount) OVER entries AS broken
      FROM credit_ledger
    WINDOW entries AS (PARTITION BY account_id ORDER BY number)
  ), ledger AS (
    SELECT account_id, sum(amount)::bigint AS balance, count(*) AS entries, count(*) FILTER (WHERE broken) AS broken,
           coalesce(-sum(amount) FILTER (WHERE kind IN ('reserve', 'release')), 0)::bigint AS reserved,
           coalesce(-sum(amount) FILTER (WHERE kind = 'charge'), 0)::bigint AS charged
      FROM steps GROUP BY account_id
  ), reservations AS (
    SELECT account_id, sum(amount)::bigint AS reserved FROM credit_reservations WHERE utc_date IS NULL GROUP BY account_id
  ), usage AS (
    SELECT account_id, sum(credits)::bigint AS charged FROM usage_days GROUP BY account_id
  ), audit AS (
    SELECT account_id AS "accountId",
           coalesce(b.available, 0) AS "balance", coalesce(l.balance, 0) AS "ledgerSum",
           coalesce(b.reserved, 0) AS "reserved", coalesce(l.reserved, 0) AS "ledgerReserved",
           coalesce(r.reserved, 0) AS "openReservations",
           coalesce(b.used_total, 0) AS "usedTotal", coalesce(l.charged, 0) AS "ledgerCharged",
           coalesce(u.charged, 0) AS "usageCharged",
           coalesce(b.entries, 0) AS "entries", coalesce(l.entries, 0) AS "ledgerEntries",
           coalesce(l.broken, 0) AS "brokenEntries"
      FROM credit_balances b FULL JOIN ledger l USING (account_id) FULL JOIN reservations r USING (account_id)
           LEFT JOIN usage u USING (account_id)
  )
  SELECT * FROM audit
   WHERE "balance" <> "ledgerSum" OR "reserved" <> "ledgerReserved" OR "reserved" <> "openReservations"
      OR "usedTotal" <> "ledgerCharged" OR "usageCharged" <> "ledgerCharged" OR "entries" <> "ledgerEntries" OR "brokenEntries" > 0
   ORDER BY "accountId"`;

const DIFFERING_CEILINGS = `
  WITH charged AS (
    SELECT ceiling_id AS id, -sum(amount)::bigint AS credits FROM credit_ledger
     WHERE ceiling_id IS NOT NULL AND kind = 'charge' GROUP BY ceiling_id
  ), open AS (
    SELECT ceiling_id AS id, sum(amount)::bigint AS credits FROM credit_reservations WHERE ceiling_id IS NOT NULL GROUP BY ceiling_id
  ), audit AS (
    SELECT id AS "ceilingId", coalesce(used_total, 0) AS used, coalesce(used_month, 0) AS "usedMonth", coalesce(used_day, 0) AS "usedDay",
           coalesce(charged.credits, 0) AS "ledgerCharged", coalesce(open.credits, 0) AS "openReservations"
      FROM key_ceilings FULL JOIN charged USING (id) FULL JOIN open USING (id)
  )
  SELECT * FROM audit
   WHERE used <> "ledgerCharged" + "openReservations" OR "usedMonth" > used OR "usedDay" > "usedMonth"
   ORDER BY "ceilingId"`;

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
      read: async () => (await this.find())?.credits ?? null,
    });
    gauges.addShared({
      name: 'mailsonde_ledger_compared_seconds',
      help: 'How long ago ledgers and balances were compared.',
      read: async () => {
        const drift = await this.find();
        return drift && secondsSince(drift.measuredAt, clock.now());
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
