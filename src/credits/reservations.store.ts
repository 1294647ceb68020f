import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { SourceName } from './credit-source.js';

export interface LapsedReservation {
  readonly id: string;
  readonly source: SourceName;
}

/** Reservations of both kinds. */
@Injectable()
export class ReservationsStore {
  constructor(private readonly database: DataSource) {}

  /** The longest lapsed first. */
  findLapsed(now: Date, limit: number): Promise<LapsedReservation[]> {
    return this.database.query(
      `SELECT id, CASE WHEN utc_date IS NULL THEN 'balance' ELSE 'daily' END AS source
         FROM credit_reservations WHERE lapses_at <= $1 ORDER BY lapses_at LIMIT $2`,
      [now, limit],
    );
  }
}
