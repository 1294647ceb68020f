import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { runInTransaction } from '../idempotency/idempotency-claim.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import { type OperatorCircuit, OperatorCircuitsService } from '../operators/operator-circuits.service.js';
import { type OperatorPause, OperatorPausesService } from '../operators/operator-pauses.service.js';
import { readMailProviders } from '../verify/ports/mail-providers-file.js';
import type { Actor } from './actor.js';
import { AuditService } from './audit.service.js';

/** A mail operator as administrators see it. */
export interface Operator {
  readonly name: string;
  /** Null for one without a row in `config/mail-providers.json`. */
  readonly title: string | null;
  readonly pause: OperatorPause | null;
  /** Where it refuses us: nobody asks it from there for a while. */
  readonly circuits: readonly OperatorCircuit[];
}

/** A row of `config/mail-providers.json`, or the name of a mail host: those without a row are operators by themselves. */
const OPERATOR = /^[a-z0-9](?:[a-z0-9_.-]{0,251}[a-z0-9])?$/;

/** The row of all mail hosts that have none: it is no operator. */
const NOBODY = 'default';

/** The acts of administrators on mail operators. */
@Injectable()
export class OperatorAdministrationService {
  private readonly titles = new Map(
    readMailProviders()
      .all.map(({ name, title }) => [name, title] as const)
      .filter(([, title]) => title !== null),
  );

  constructor(
    private readonly pauses: OperatorPausesService,
    private readonly circuits: OperatorCircuitsService,
    private readonly audit: AuditService,
    private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Those with a row, and all that are paused or refuse us, by name. */
  async list(): Promise<readonly Operator[]> {
    const pauses = new Map((await this.pauses.list()).map((pause) => [pause.operator, pause]));
    const circuits = await this.listCircuits();
    const names = new Set([...this.titles.keys(), ...pauses.keys(), ...circuits.map(({ operator }) => operator)]);
    return [...names].sort().map((name) => this.operatorOf(name, pauses.get(name) ?? null, circuits));
  }

  /** @throws AppError `operator_not_found` for a name that no operator can have; `invalid_input` for an end that does not lie ahead */
  pause(actor: Actor, name: string, { reason, until }: { reason: string; until: Date | null }): Promise<Operator> {
    checkName(name);
    return runInTransaction(this.database, actor.claim, async (tx) => {
      const pause = await this.pauses.pause(tx, { operator: name, reason, pausedBy: actor.name, endsAt: until });
      const details = { operator: name, reason, until: until?.toISOString() ?? null };
      await this.audit.record(tx, actor, { action: 'operator.pause', details });
      return this.operatorOf(name, pause, await this.listCircuits());
    });
  }

  /** @throws AppError `operator_not_found` for a name that no operator can have */
  resume(actor: Actor, name: string): Promise<Operator> {
    checkName(name);
    return runInTransaction(this.database, actor.claim, async (tx) => {
      await this.pauses.resume(tx, name);
      await this.audit.record(tx, actor, { action: 'operator.resume', details: { operator: name } });
      return this.operatorOf(name, null, await this.listCircuits());
    });
  }

  private listCircuits(): Promise<OperatorCircuit[]> {
    return this.circuits.list(new Date(this.clock.now()));
  }

  /** @param all circuits of all operators */
  private operatorOf(name: string, pause: OperatorPause | null, all: readonly OperatorCircuit[]): Operator {
    const circuits = all.filter(({ operator }) => operator === name);
    return { name, title: this.titles.get(name) ?? null, pause, circuits };
  }
}

function checkName(name: string): void {
  if (!OPERATOR.test(name) || name === NOBODY) throw new AppError('operator_not_found');
}
