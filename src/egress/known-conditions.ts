import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../lib/periodic.js';
import { TIMER, type Timer } from '../platform/clock.js';
import { SourceConditionsService } from './source-conditions.service.js';

const EVERY_MS = 1_000;

/**
 * What this process knows of sources that are taken out: PostgreSQL is read every second, so that a change holds on all processes within two,
 * and no connection costs a query. While PostgreSQL is away, what was known stays.
 */
@Injectable()
export class KnownConditions implements OnModuleDestroy {
  private readonly logger = new Logger(KnownConditions.name);
  private readonly periodic: Periodic;
  private known: ReadonlyMap<string, 'drained' | 'paused'> = new Map();

  constructor(
    private readonly conditions: SourceConditionsService,
    @Inject(TIMER) timer: Timer,
  ) {
    this.periodic = new Periodic(() => this.read(), {
      everyMs: EVERY_MS,
      timer,
      onError: (error) => this.logger.warn(`conditions of sources were not read: ${(error as Error).message}`),
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

  of(source: string): 'open' | 'drained' | 'paused' {
    return this.known.size === 0 ? 'open' : (this.known.get(source) ?? 'open');
  }

  /** Takes up what has changed. */
  async read(): Promise<void> {
    const taken = await this.conditions.inForce();
    this.known = new Map(taken.map(({ source, condition }) => [source, condition]));
  }
}
