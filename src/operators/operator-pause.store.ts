import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** Nobody connects to a mail operator for a while. */
export interface OperatorPause {
  /** A row of `config/mail-providers.json`, or the first mail host of an operator without one. */
  readonly operator: string;
  readonly reason: string;
  readonly pausedBy: string;
  readonly pausedAt: Date;
  /** Null: until it is resumed. */
  readonly endsAt: Date | null;
}

@Injectable()
export class OperatorPauseStore {
  constructor(private readonly database: DataSource) {}

  /** Those that have not ended by themselves, by name. */
  list(now: Date): Promise<OperatorPause[]> {
    return this.database.query(
      `SELECT operator, reason, paused_by AS "pausedBy", paused_at AS "pausedAt", ends_at AS "endsAt"
         FROM operator_pauses WHERE ends_at IS NULL OR ends_at > $1 ORDER BY operator`,
      [now],
    );
  }

  /** Takes the place of an earlier pause of the operator. */
  async put(tx: EntityManager, { operator, reason, pausedBy, pausedAt, endsAt }: OperatorPause): Promise<void> {
    await tx.query(
      `INSERT INTO operator_pauses (operator, reason, paused_by, paused_at, ends_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (operator) DO UPDATE
         SET reason = excluded.reason, paused_by = excluded.paused_by, paused_at = excluded.paused_at, ends_at = excluded.ends_at`,
      [operator, reason, pausedBy, pausedAt, endsAt],
    );
  }

  async delete(tx: EntityManager, operator: string): Promise<void> {
    await tx.query('DELETE FROM operator_pauses WHERE operator = $1', [operator]);
  }
}
