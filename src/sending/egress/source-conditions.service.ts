import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CLOCK, type WallClock, TIMER, type Timer } from '../../platform/clock.js';
import { KnownState } from '../../platform/periodic-job.js';

/** A source that an administrator has taken out. */
export interface TakenOutSource {
  readonly source: string;
  /** `drained`: it asks only those who must come back to it; `paused`: nobody. */
  readonly condition: 'drained' | 'paused';
  readonly reason: string;
  readonly changedBy: string;
  readonly changedAt: Date;
}

/** Which sources administrators have taken out, as PostgreSQL keeps it; every process honours a change within two seconds. */
@Injectable()
export class SourceConditionsService {
  constructor(
    private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Those that are drained or paused, by name. */
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

  /** Drains or pauses a source, whatever its condition was. The caller knows that there is one of this name. */
  async takeOut(tx: EntityManager, taken: Omit<TakenOutSource, 'changedAt'>): Promise<TakenOutSource> {
    const { source, condition, reason, changedBy } = taken;
    const changedAt = this.clock.date();
    await tx.query(
      `INSERT INTO source_conditions (source, condition, reason, changed_by, changed_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (source) DO UPDATE SET condition = excluded.condition, reason = excluded.reason,
             changed_by = excluded.changed_by, changed_at = excluded.changed_at`,
      [source, condition, reason, changedBy, changedAt],
    );
    return { ...taken, changedAt };
  }

  /** The source asks again, also one that rests; one that is not taken out stays as it is. */
  async open(tx: EntityManager, source: string): Promise<void> {
    await tx.query('DELETE FROM source_conditions WHERE source = $1', [source]);
    await tx.query('DELETE FROM source_rests WHERE source = $1', [source]);
  }
}

const EVERY_MS = 1_000;

/**
 * What this process knows of sources that are taken out: PostgreSQL is read every second, so that a change holds on all processes within two,
 * and no connection costs a query. While PostgreSQL is away, what was known stays.
 */
@Injectable()
export class KnownConditions extends KnownState {
  private known: ReadonlyMap<string, 'drained' | 'paused'> = new Map();

  constructor(
    private readonly conditions: SourceConditionsService,
    @Inject(TIMER) timer: Timer,
  ) {
    super('conditions of sources were not read', { everyMs: EVERY_MS, timer });
  }

  of(source: string): 'open' | 'drained' | 'paused' {
    return this.known.size === 0 ? 'open' : (this.known.get(source) ?? 'open');
  }

  async read(): Promise<void> {
    const taken = await this.conditions.inForce();
    this.known = new Map(taken.map(({ source, condition }) => [source, condition]));
  }
}
