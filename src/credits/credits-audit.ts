import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

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
