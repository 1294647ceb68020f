import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../../lib/periodic.js';
import type { Engine } from '../../engine/verification/engine.js';
import { OperatorCircuitsService } from '../../operators/operator-circuits.service.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { ENGINE } from '../engine.provider.js';

const EVERY_MS = 5_000;
/** A list of hostile domains may open far more: the newest are told. */
const MAX_REPORTED = 1_000;

/** Tells which operators refuse this process, for administrators: each process has circuits of its own. Nothing is written while none does. */
@Injectable()
export class CircuitReports implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(CircuitReports.name);
  private readonly processId = randomUUID();
  private readonly periodic: Periodic;
  private hasTold = false;

  constructor(
    @Inject(ENGINE) private readonly engine: Engine,
    private readonly circuits: OperatorCircuitsService,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    this.periodic = new Periodic(() => this.run(), {
      everyMs: EVERY_MS,
      timer,
      onError: (error) => this.logger.warn(`operators that refuse us were not told: ${(error as Error).message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.periodic.stop();
  }

  async run(): Promise<void> {
    const open = [...this.engine.openCircuits()].sort((one, other) => other.openUntil - one.openUntil);
    if (open.length === 0 && !this.hasTold) return;
    const told = open.slice(0, MAX_REPORTED).map((circuit) => ({ ...circuit, openUntil: new Date(circuit.openUntil) }));
    await this.circuits.report(this.processId, told, new Date(this.clock.now()));
    this.hasTold = told.length > 0;
  }
}
