import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { SourceName } from './credit-source.js';

export interface ExpiredReservation {
  readonly id: string;
  readonly source: SourceName;
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
}
