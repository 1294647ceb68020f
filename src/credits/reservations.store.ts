import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { SourceName } from './credit-source.js';

export interface ExpiredReservation {
  readonly id: string;
  readonly source: SourceName;
}

/** A reservation in two parts, with what is left of each. */
export interface SplitReservation {
  readonly freeCredits: number;
  readonly paidPartId: string;
}

/** Reservations of both kinds. */
@Injectable()
export class ReservationsStore {
  constructor(private readonly database: DataSource) {}

  /** The longest lapsed first. */
  findExpired(now: Date, limit: number): Promise<ExpiredReservation[]> {
    return this.database.query(
      `SELECT id, CASE WHEN utc_date IS NULL THEN 'balance' ELSE 'daily' END AS source
         FROM credit_reservations WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2`,
      [now, limit],
    );
  }

  /** The day of its free credits; null when it has none, or has ended. */
  async findUtcDate(tx: EntityManager, id: string): Promise<string | null> {
    const rows: { utc_date: string | null }[] = await tx.query(
      'SELECT utc_date::text FROM credit_reservations WHERE id = $1',
      [id],
    );
    return rows[0]?.utc_date ?? null;
  }

  /** Locks the free part of a reservation in two parts, so that two who charge of it take turns. Null when it has ended. */
  async lockSplit(tx: EntityManager, freePartId: string): Promise<SplitReservation | null> {
    const rows: SplitReservation[] = await tx.query(
      `SELECT amount AS "freeCredits", paid_part_id AS "paidPartId" FROM credit_reservations
        WHERE id = $1 AND paid_part_id IS NOT NULL FOR UPDATE`,
      [freePartId],
    );
    return rows[0] ?? null;
  }
}
