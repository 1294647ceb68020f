import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SourceConditionsService, type TakenOutSource } from '../sending/egress/source-conditions.service.js';
import type { EgressSource } from '../engine/ports.js';
import { type OperatorCircuit, OperatorCircuitsService } from '../sending/operators/operator-circuits.service.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import { type SourceState, SourceStates } from '../sending/sources/source-states.service.js';
import type { Actor } from './actor.js';
import { AuditService, NOTHING_MORE } from './audit.service.js';

/** A sending address of ours as administrators see it. */
export interface AdministeredSource {
  readonly source: EgressSource;
  readonly state: SourceState;
  /** What it may name to each operator while it is warmed up; null: as many as it likes. */
  readonly recipientsToday: number | null;
  /** The same at operators with a pace of their own. */
  readonly recipientsTodayAt: ReadonlyMap<string, number>;
  /** Operators that refuse it. */
  readonly circuits: readonly OperatorCircuit[];
}

/** The acts of administrators on our own sending addresses. */
@Injectable()
export class EgressAdministrationService {
  constructor(
    private readonly states: SourceStates,
    private readonly conditions: SourceConditionsService,
    private readonly circuits: OperatorCircuitsService,
    private readonly audit: AuditService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** All sources of the configuration, in its order. */
  async list(): Promise<readonly AdministeredSource[]> {
    const [states, circuits] = await Promise.all([this.states.all(), this.circuits.list(new Date(this.clock.now()))]);
    return this.states.sources.map((source) => ({
      source,
      state: states(source.name),
      recipientsToday: this.states.recipientsToday(source),
      recipientsTodayAt: this.states.recipientsTodayAt(source),
      circuits: circuits.filter((circuit) => circuit.source === source.name),
    }));
  }

  /**
   * @param condition `drained`: it asks only where it has to come back; `paused`: nobody
   * @throws AppError `source_not_found`
   */
  async stop(
    actor: Actor,
    name: string,
    { condition, reason }: Pick<TakenOutSource, 'condition' | 'reason'>,
  ): Promise<AdministeredSource> {
    this.named(name);
    await this.audit.audited(
      actor,
      condition === 'drained' ? 'source.drain' : 'source.pause',
      (tx) => this.conditions.takeOut(tx, { source: name, condition, reason, changedBy: actor.name }),
      () => ({ details: { source: name, reason } }),
    );
    return this.get(name);
  }

  /** Ends a rest for a block list too. @throws AppError `source_not_found` */
  async resume(actor: Actor, name: string): Promise<AdministeredSource> {
    this.named(name);
    const open = (tx: EntityManager) => this.conditions.open(tx, name);
    await this.audit.audited(actor, 'source.resume', open, () => ({ details: { source: name } }));
    return this.get(name);
  }

  /** Looks at the source now, as is done each quarter of an hour. @throws AppError `source_not_found` */
  async test(actor: Actor, name: string): Promise<AdministeredSource> {
    const source = this.named(name);
    await this.states.look(source);
    await this.audit.audited(actor, 'source.test', NOTHING_MORE, () => ({ details: { source: name } }));
    return this.get(name);
  }

  private named(name: string): EgressSource {
    const source = this.states.sources.find((one) => one.name === name);
    if (source === undefined) throw new AppError('source_not_found');
    return source;
  }

  private async get(name: string): Promise<AdministeredSource> {
    return (await this.list()).find(({ source }) => source.name === name)!;
  }
}
