import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { CeilingRow } from '../../keys/ceilings/ceilings.js';

/** Reads what is used of ceilings; the statements that reserve and settle decide by them. */
@Injectable()
export class CeilingStore {
  constructor(private readonly database: DataSource) {}

  /** Null when it was taken away. */
  async find(id: string, tx: EntityManager = this.database.manager): Promise<CeilingRow | null> {
    const rows: CeilingRow[] = await tx.query(
      `SELECT credits_per_day AS "creditsPerDay", credits_per_month AS "creditsPerMonth", credits_total AS "creditsTotal",
              used_date::text AS "usedDate", used_day AS "usedDay", used_month AS "usedMonth", used_total AS "usedTotal"
         FROM key_ceilings WHERE id = $1`,
      [id],
    );
    return rows[0] ?? null;
  }
}
