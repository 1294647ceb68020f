import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

@Injectable()
export class DemonstrationStore {
  constructor(private readonly database: DataSource) {}

  /** False when there is one, or another process makes it at this moment: then this waits until it has. */
  async claim(tx: EntityManager, at: Date): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      'INSERT INTO demonstrations (created_at) VALUES ($1) ON CONFLICT DO NOTHING RETURNING singleton',
      [at],
    );
    return rows.length > 0;
  }

  async name(tx: EntityManager, accountId: string): Promise<void> {
    await tx.query('UPDATE demonstrations SET account_id = $1', [accountId]);
  }

  /** Null before it is made, and when it was deleted. */
  async findAccountId(): Promise<string | null> {
    const rows: { accountId: string | null }[] = await this.database.query(
      'SELECT account_id AS "accountId" FROM demonstrations',
    );
    return rows[0]?.accountId ?? null;
  }
}
