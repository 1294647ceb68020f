import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** What a day's pool says; nothing of it is there before the day's first credit is taken. */
export interface PoolRow {
  readonly used: number;
  /** Null: what is configured. */
  readonly capacity: number | null;
}

@Injectable()
export class AgentPoolStore {
  constructor(private readonly database: DataSource) {}

  async find(utcDate: string): Promise<PoolRow | null> {
    const rows: PoolRow[] = await this.database.query(
      'SELECT used, capacity FROM agent_daily_pool WHERE utc_date = $1',
      [utcDate],
    );
    return rows[0] ?? null;
  }

  async setCapacity(tx: EntityManager, utcDate: string, capacity: number | null): Promise<void> {
    await tx.query(
      `INSERT INTO agent_daily_pool (utc_date, used, capacity) VALUES ($1, 0, $2)
       ON CONFLICT (utc_date) DO UPDATE SET capacity = excluded.capacity`,
      [utcDate, capacity],
    );
  }
}
