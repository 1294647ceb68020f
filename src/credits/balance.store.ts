import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { definePrepared } from '../platform/database/prepared.js';
import {
  GIVEN_BACK_TO_CEILINGS,
  type CeilingDecision,
  LEDGER_COLUMNS,
  reserve,
  reserveAtOnce,
  reserveUnderCeilings,
  reserveUnderCeilingsAtOnce,
  tellOfLow,
} from './reserve-statements.js';
import { type Charge, addUsage, worksOf } from './usage/used-work.js';

export type { CeilingDecision };

export interface BalanceReservation {
  readonly id: string;
  readonly accountId: string;
  readonly amount: number;
  readonly keyId: string;
  /** The purpose of the work, as the ledger shows it. */
  readonly purpose: string;
  readonly batchId: number | null;
  /** The time from which the cleanup gives the credits back; null: never. */
  readonly expiresAt: Date | null;
  /** A balance below this is low: the account gets an event when it falls below. */
  readonly lowCredits: number;
}

/** A reservation of a key that has ceilings. */
export interface LimitedReservation extends BalanceReservation {
  readonly ceilingId: string;
  /** What the key may spend without any ceiling, which one is until all processes know that the last was taken away; null: everything. */
  readonly withoutCeiling: number | null;
}

export interface Ending {
  readonly reservationId: string;
  /** At most what the reservation holds; the rest goes back. */
  readonly charge: Charge;
}

export interface Balance {
  readonly available: number;
  readonly reserved: number;
  readonly usedTotal: number;
  readonly freeGranted: number;
}

/** A grant (positive) or an adjustment, with its author and its reason. */
export interface BalanceChange {
  readonly accountId: string;
  readonly kind: 'grant' | 'adjust';
  readonly amount: number;
  readonly reason: string;
  readonly actor: string;
  /** Whether the plan gave it, once. */
  readonly free: boolean;
  /** A balance below it is low. */
  readonly lowCredits: number;
}

// Charged credits were reserved before, so they are released and then charged: every entry changes the balance by its amount.
const settle = definePrepared<{ id: string }>(
  'settle credits',
  `
  WITH ended AS (
    DELETE FROM credit_reservations r USING unnest($1::uuid[], $2::bigint[]) AS e (id, charged) WHERE r.id = e.id
    RETURNING r.id, r.account_id, r.key_id, r.purpose, r.batch_id, r.amount, least(e.charged, r.amount) AS charged,
              r.ceiling_id, r.ceiling_date
  ), locked AS (
    SELECT account_id FROM credit_balances
     WHERE account_id IN (SELECT account_id FROM ended) ORDER BY account_id FOR UPDATE
  ), steps AS (
    SELECT step.*, row_number() OVER in_turn AS nth, sum(amount) OVER in_turn AS sum
      FROM (SELECT account_id, id, key_id, purpose, batch_id, ceiling_id, 'release' AS kind, amount FROM ended WHERE amount > 0
            UNION ALL
            SELECT account_id, id, key_id, purpose, batch_id, ceiling_id, 'charge', -charged FROM ended WHERE charged > 0) AS step
      JOIN locked USING (account_id)
    WINDOW in_turn AS (PARTITION BY account_id ORDER BY id, kind DESC)
  ), totals AS (
    SELECT account_id, count(*) AS entries, sum(amount)::bigint AS change,
           coalesce(sum(amount) FILTER (WHERE kind = 'release'), 0)::bigint AS released
      FROM steps GROUP BY account_id
  ), changed AS (
    UPDATE credit_balances AS b
       SET available = b.available + t.change, reserved = b.reserved - t.released,
           used_total = b.used_total + t.released - t.change, entries = b.entries + t.entries
      FROM totals t WHERE t.account_id = b.account_id
    RETURNING b.account_id, b.available - t.change AS before, b.entries - t.entries AS entries_before
  ), ${GIVEN_BACK_TO_CEILINGS}, written AS (
    INSERT INTO credit_ledger (${LEDGER_COLUMNS}, ceiling_id)
    SELECT account_id, entries_before + nth, $3::timestamptz, kind, amount, before + sum, purpose, key_id, id, batch_id, ceiling_id
      FROM steps JOIN changed USING (account_id)
  ), ${addUsage('credits', { worked: 'ended JOIN locked USING (account_id)', at: '$3', works: 4 })}
  SELECT id FROM ended`,
);

const settlePart = definePrepared(
  'settle a part of credits',
  `
  WITH part AS (
    UPDATE credit_reservations SET amount = amount - $2::bigint WHERE id = $1 AND amount >= $2
    RETURNING id, account_id, key_id, purpose, batch_id, ceiling_id
  ), changed AS (
    UPDATE credit_balances AS b
       SET reserved = b.reserved - $2, used_total = b.used_total + $2,
           entries = b.entries + CASE WHEN $2 > 0 THEN 2 ELSE 0 END
      FROM part WHERE part.account_id = b.account_id
    RETURNING b.account_id, b.available, b.entries
  ), written AS (
    INSERT INTO credit_ledger (${LEDGER_COLUMNS}, ceiling_id)
    SELECT account_id, entries - back, $3::timestamptz, kind, sign * $2, available + back * $2, purpose, key_id, id, batch_id,
           ceiling_id
      FROM part JOIN changed USING (account_id)
      JOIN (VALUES ('release', 1, 1), ('charge', -1, 0)) AS step (kind, sign, back) ON $2 > 0
  ), ${addUsage('credits', { worked: 'part JOIN changed USING (account_id)', at: '$3', works: 4 })}
  SELECT id FROM part`,
);

const change = definePrepared(
  'change a balance',
  `
  WITH changed AS (
    UPDATE credit_balances
       SET available = available + $2::bigint, free_granted = free_granted + $3::bigint, entries = entries + 1
     WHERE account_id = $1 AND available + $2 >= 0
    RETURNING account_id, available, available - $2 AS before, entries, $8::bigint AS low
  ), ${tellOfLow('$4')}
  INSERT INTO credit_ledger (account_id, number, created_at, kind, amount, balance_after, purpose, actor)
  SELECT account_id, entries, $4::timestamptz, $5, $2, available, $6, $7 FROM changed
  RETURNING number`,
);

/**
 * Balances and their ledger, always changed together and by one statement each: it locks the balances in the order of their
 * ids, and then the ceilings of keys in the order of theirs, so that statements never wait for each other in a circle; decides by what it has
 * locked, and writes its entries. A row of ceilings belongs to keys of one account, and whoever counts on it has locked that account's balance.
 */
@Injectable()
export class BalanceStore {
  /**
   * Takes each reservation's credits from its account's balance, the smallest first, as far as they suffice.
   * @returns the ids of the reservations that were made.
   */
  async reserve(tx: EntityManager, wanted: readonly BalanceReservation[], at: Date): Promise<Set<string>> {
    const statement = isAlone(tx) ? reserveAtOnce : reserve;
    const rows = await statement(tx, ...parametersOf(wanted, at));
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * The same under the ceilings of their keys, which it locks and counts on.
   * @returns the decision about each by its id
   */
  async reserveUnderCeilings(
    tx: EntityManager,
    wanted: readonly LimitedReservation[],
    at: Date,
  ): Promise<Map<string, CeilingDecision>> {
    const statement = isAlone(tx) ? reserveUnderCeilingsAtOnce : reserveUnderCeilings;
    const rows = await statement(
      tx,
      ...parametersOf(wanted, at),
      wanted.map(({ ceilingId }) => ceilingId),
      wanted.map(({ withoutCeiling }) => withoutCeiling),
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /**
   * Ends reservations: charges, and gives back the rest.
   * @returns the ids of the reservations that had not ended before; nothing happens to the others.
   */
  async settle(tx: EntityManager, endings: readonly Ending[], at: Date): Promise<Set<string>> {
    const rows = await settle(
      tx,
      endings.map(({ reservationId }) => reservationId),
      endings.map(({ charge }) => charge.credits),
      at,
      ...worksOf(endings),
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Charges a part of a reservation, which goes on with the rest.
   * @returns false when it has ended or holds less.
   */
  async settlePart(tx: EntityManager, ending: Ending, at: Date): Promise<boolean> {
    const { reservationId, charge } = ending;
    const rows = await settlePart(tx, reservationId, charge.credits, at, ...worksOf([ending]));
    return rows.length > 0;
  }

  /**
   * Changes a balance by hand, opening the account's when it has none.
   * @returns false when the balance would fall below zero; then nothing is changed.
   */
  async change(tx: EntityManager, wanted: BalanceChange, at: Date): Promise<boolean> {
    const { accountId, kind, amount, reason, actor, free, lowCredits } = wanted;
    await tx.query('INSERT INTO credit_balances (account_id) VALUES ($1) ON CONFLICT DO NOTHING', [accountId]);
    const rows = await change(tx, accountId, amount, free ? amount : 0, at, kind, reason, actor, lowCredits);
    return rows.length > 0;
  }

  async find(tx: EntityManager, accountId: string): Promise<Balance> {
    const rows: Balance[] = await tx.query(
      `SELECT available, reserved, used_total AS "usedTotal", free_granted AS "freeGranted"
         FROM credit_balances WHERE account_id = $1`,
      [accountId],
    );
    return rows[0] ?? { available: 0, reserved: 0, usedTotal: 0, freeGranted: 0 };
  }
}

/** A statement is no part of a transaction. */
function isAlone(tx: EntityManager): boolean {
  return tx.queryRunner === undefined;
}

/** What both statements that reserve are given. */
function parametersOf(wanted: readonly BalanceReservation[], at: Date): unknown[] {
  return [
    wanted.map(({ id }) => id),
    wanted.map(({ accountId }) => accountId),
    wanted.map(({ amount }) => amount),
    wanted.map(({ keyId }) => keyId),
    wanted.map(({ purpose }) => purpose),
    wanted.map(({ expiresAt }) => expiresAt),
    at,
    wanted.map(({ lowCredits }) => lowCredits),
    wanted.map(({ batchId }) => batchId),
  ];
}
