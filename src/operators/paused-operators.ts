import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../lib/periodic.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../platform/clock.js';
import { type OperatorPause, OperatorPausesService } from './operator-pauses.service.js';

const EVERY_MS = 1_000;

/**
 * What this process knows of paused operators: PostgreSQL is read every second, so that a pause holds on all processes within two, no
 * connection costs a query, and neither a restart nor a Redis without data ends a pause. While PostgreSQL is away, what was known stays.
 */
@Injectable()
export class PausedOperators implements OnModuleDestroy {
  private readonly logger = new Logger(PausedOperators.name);
  private readonly periodic: Periodic;
  private known: ReadonlyMap<string, OperatorPause> = new Map();

  constructor(
    private readonly pauses: OperatorPausesService,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    this.periodic = new Periodic(() => this.read(), {
      everyMs: EVERY_MS,
      timer,
      onError: (error) => this.logger.warn(`paused operators were not read: ${(error as Error).message}`),
    });
  }

  /** Reads them once, and then again and again: nobody connects before what holds is known. */
  async start(): Promise<void> {
    await this.read();
    this.periodic.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.periodic.stop();
  }

  /** @param operator whose caps a connection counts against */
  isPaused(operator: string): boolean {
    if (this.known.size === 0) return false;
    const pause = this.known.get(operator);
    return pause !== undefined && (pause.endsAt === null || pause.endsAt.getTime() > this.clock.now());
  }

  private async read(): Promise<void> {
    const pauses = await this.pauses.list();
    this.known = new Map(pauses.map((pause) => [pause.operator, pause]));
  }
}
