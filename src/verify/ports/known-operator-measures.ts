import { Inject, Injectable } from '@nestjs/common';
import { MINUTE_MS } from '../../lib/durations.js';
import type { MadeUpAnswer, OperatorMeasures } from '../../engine/ports.js';
import { type OperatorMeasure, OperatorMeasuresService } from '../../sending/operators/operator-measures.service.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { KnownState } from '../../platform/periodic-job.js';

const EVERY_MS = 5_000;
/** Where PostgreSQL does not answer, this process tries no more often. */
const TRIED_AGAIN_MS = MINUTE_MS;

/**
 * What this process knows of operators that were asked made-up names: PostgreSQL is read every few seconds, so that what one process has
 * found out holds for all. While it is away nobody is asked, and what was known stays.
 */
@Injectable()
export class KnownOperatorMeasures extends KnownState implements OperatorMeasures {
  private known: ReadonlyMap<string, OperatorMeasure> = new Map();
  /** By operator, when it may be asked next; those that are missing were never asked. */
  private readonly dueAt = new Map<string, number>();

  constructor(
    private readonly measures: OperatorMeasuresService,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('what made-up names have shown was not read', { everyMs: EVERY_MS, timer });
  }

  acceptsAll(operator: string): boolean {
    return (this.known.get(operator)?.acceptsAllSince ?? null) !== null;
  }

  isDue(operator: string): boolean {
    return (this.dueAt.get(operator) ?? 0) <= this.clock.now();
  }

  async takeTurn(operator: string): Promise<number | null> {
    this.dueAt.set(operator, this.clock.now() + TRIED_AGAIN_MS);
    try {
      return await this.measures.takeTurn(operator);
    } catch (error) {
      this.logger.warn(`${operator} was asked no made-up name: ${(error as Error).message}`);
      return null;
    }
  }

  record({ operator, isAccepted, ...answer }: MadeUpAnswer): void {
    this.measures
      .record(operator, isAccepted, answer)
      .then(() => this.read())
      .catch((error: Error) => this.logger.warn(`an answer of ${operator} was not kept: ${error.message}`));
  }

  async read(): Promise<void> {
    const measures = await this.measures.list();
    const now = this.clock.now();
    for (const { operator, dueInMs } of measures) this.dueAt.set(operator, now + dueInMs);
    this.known = new Map(measures.map((measure) => [measure.operator, measure]));
  }
}
