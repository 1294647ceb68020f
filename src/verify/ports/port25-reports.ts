import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../../lib/periodic.js';
import type { Engine, Port25Report } from '../../engine/verification/engine.js';
import { Port25States } from '../../operators/port25-states.service.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { ENGINE } from '../engine.provider.js';

const EVERY_MS = 5_000;
/** What stays as it is, is told again so seldom. */
const AGAIN_MS = 30_000;

/** Tells administrators whether port 25 leaves this machine. Nothing is written before a mail host was asked. */
@Injectable()
export class Port25Reports implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Port25Reports.name);
  private readonly processId = randomUUID();
  private readonly periodic: Periodic;
  private told: (Port25Report & { readonly at: number }) | null = null;

  constructor(
    @Inject(ENGINE) private readonly engine: Engine,
    private readonly states: Port25States,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    this.periodic = new Periodic(() => this.run(), {
      everyMs: EVERY_MS,
      timer,
      onError: (error) => this.logger.warn(`the state of port 25 was not told: ${(error as Error).message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.periodic.stop();
    // Where the database is gone, what was told ends by its age.
    if (this.told !== null) await this.states.forget(this.processId).catch(() => undefined);
  }

  async run(): Promise<void> {
    const report = this.engine.port25();
    const { state, since, answeredAt } = report;
    if (state === 'unknown' || since === null) return;
    const at = this.clock.now();
    if (this.told?.since === since && this.told.state === state && at - this.told.at < AGAIN_MS) return;
    await this.states.report(this.processId, {
      machine: hostname(),
      state,
      since: new Date(since),
      answeredAt: answeredAt === null ? null : new Date(answeredAt),
    });
    this.told = { ...report, at };
  }
}
