import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** A source that an administrator has taken out. */
export interface TakenOutSource {
  readonly source: string;
  /** `drained`: it asks only those who must come back to it; `paused`: nobody. */
  readonly condition: 'drained' | 'paused';
  readonly reason: string;
  readonly changedBy: string;
  readonly changedAt: Date;
}

@Injectable()
export class SourceConditionStore {
  constructor(private readonly database: DataSource) {}

  /** By name. */
  list(): Promise<TakenOutSource[]> {
    return this.database.query(
      `SELECT source, condition, reason, changed_by AS "changedBy", changed_at AS "changedAt"
         FROM source_conditions ORDER BY source`,
    );
  }

  /** The conditions that hold: one that rests since a block list has it is drained. */
  inForce(): Promise<Pick<TakenOutSource, 'source' | 'condition'>[]> {
    return this.database.query(
      `SELECT source, 'drained' AS condition FROM source_rests WHERE source NOT IN (SELECT source FROM source_conditions)
       UNION ALL SELECT source, condition FROM source_conditions`,
    );
  }

  /** Takes the place of an earlier condition of the source. */
  async put(tx: EntityManager, { source, condition, reason, changedBy, changedAt }: TakenOutSource): Promise<void> {
    await tx.query(
      `INSERT INTO source_conditions (source, condition, reason, changed_by, changed_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (source) DO UPDATE SET condition = excluded.condition, reason = excluded.reason,
             changed_by = excluded.changed_by, changed_at = excluded.changed_at`,
      [source, condition, reason, changedBy, changedAt],
    );
  }

  async delete(tx: EntityManager, source: string): Promise<void> {
    await tx.query('DELETE FROM source_conditions WHERE source = $1', [source]);
    await tx.query('DELETE FROM source_rests WHERE source = $1', [source]);
  }
}
