import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CLOCK, type WallClock, TIMER, type Timer } from '../../platform/clock.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { KnownState } from '../../platform/periodic-job.js';

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

/** Pauses of mail operators, as PostgreSQL keeps them. */
@Injectable()
export class OperatorPausesService {
  constructor(
    private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Those that have not ended by themselves, by name. */
  list(): Promise<OperatorPause[]> {
    return this.database.query(
      `SELECT operator, reason, paused_by AS "pausedBy", paused_at AS "pausedAt", ends_at AS "endsAt"
         FROM operator_pauses WHERE ends_at IS NULL OR ends_at > $1 ORDER BY operator`,
      [this.clock.date()],
    );
  }

  /** Takes the place of an earlier pause. @throws AppError `invalid_input` for an end that does not lie ahead */
  async pause(tx: EntityManager, pause: Omit<OperatorPause, 'pausedAt'>): Promise<OperatorPause> {
    const { operator, reason, pausedBy, endsAt } = pause;
    const pausedAt = this.clock.date();
    if (endsAt !== null && endsAt <= pausedAt) throw invalidField('until', 'must be a time that lies ahead');
    await tx.query(
      `INSERT INTO operator_pauses (operator, reason, paused_by, paused_at, ends_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (operator) DO UPDATE
         SET reason = excluded.reason, paused_by = excluded.paused_by, paused_at = excluded.paused_at, ends_at = excluded.ends_at`,
      [operator, reason, pausedBy, pausedAt, endsAt],
    );
    return { ...pause, pausedAt };
  }

  /** One that is not paused stays as it is. */
  async resume(tx: EntityManager, operator: string): Promise<void> {
    await tx.query('DELETE FROM operator_pauses WHERE operator = $1', [operator]);
  }
}

const EVERY_MS = 1_000;

/**
 * What this process knows of paused operators: PostgreSQL is read every second, so that a pause holds on all processes within two, no
 * connection costs a query, and neither a restart nor a Redis without data ends a pause. While PostgreSQL is away, what was known stays.
 */
@Injectable()
export class PausedOperators extends KnownState {
  private known: ReadonlyMap<string, OperatorPause> = new Map();

  constructor(
    private readonly pauses: OperatorPausesService,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('paused operators were not read', { everyMs: EVERY_MS, timer });
  }

  /** @param operator whose caps a connection counts against */
  isPaused(operator: string): boolean {
    if (this.known.size === 0) return false;
    const pause = this.known.get(operator);
    return pause !== undefined && (pause.endsAt === null || pause.endsAt.getTime() > this.clock.now());
  }

  async read(): Promise<void> {
    const pauses = await this.pauses.list();
    this.known = new Map(pauses.map((pause) => [pause.operator, pause]));
  }
}
