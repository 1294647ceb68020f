import { Inject, Injectable } from '@nestjs/common';
import { namesNear } from '../lib/edit-distance.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import { type OperatorCircuit, OperatorCircuitsService } from '../sending/operators/operator-circuits.service.js';
import { type OperatorMeasure, OperatorMeasuresService } from '../sending/operators/operator-measures.service.js';
import { type OperatorPause, OperatorPausesService } from '../sending/operators/operator-pauses.service.js';
import { mailProviders } from '../verify/ports/mail-providers-file.js';
import type { Actor } from './actor.js';
import { AuditService } from './audit.service.js';
import type { EntityManager } from 'typeorm';

/** A mail operator as administrators see it. */
export interface Operator {
  readonly name: string;
  /** Null for one without a row in `config/mail-providers.json`. */
  readonly title: string | null;
  readonly pause: OperatorPause | null;
  /** Where it refuses us: nobody asks it from there for a while. */
  readonly circuits: readonly OperatorCircuit[];
  /** What it has answered to made-up names; null: it was asked none for this. */
  readonly measure: OperatorMeasure | null;
}

/** What is known of all operators together. */
interface Known {
  readonly circuits: readonly OperatorCircuit[];
  readonly measures: readonly OperatorMeasure[];
}

/** The name of a mail host, which has a dot; hosts of operators without a row are operators by themselves. */
const MAIL_HOST = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)+$/;

/** Letters in which a name may differ from one that is offered in its place. */
const MAX_SLIPS = 2;
const MAX_OFFERED = 3;

/** The acts of administrators on mail operators. */
@Injectable()
export class OperatorAdministrationService {
  private readonly providers = mailProviders();
  private readonly titles = new Map(this.providers.all.map(({ name, title }) => [name, title] as const));

  constructor(
    private readonly pauses: OperatorPausesService,
    private readonly circuits: OperatorCircuitsService,
    private readonly measures: OperatorMeasuresService,
    private readonly audit: AuditService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Those with a row, and all that are paused or refuse us, by name. */
  async list(): Promise<readonly Operator[]> {
    const pauses = new Map((await this.pauses.list()).map((pause) => [pause.operator, pause]));
    const known = await this.readKnown();
    const names = new Set([...this.titles.keys(), ...pauses.keys(), ...known.circuits.map(({ operator }) => operator)]);
    return [...names].sort().map((name) => this.operatorOf(name, pauses.get(name) ?? null, known));
  }

  /** @throws AppError `operator_not_found` for a name that no operator has; `invalid_input` for an end that does not lie ahead */
  pause(actor: Actor, name: string, { reason, until }: { reason: string; until: Date | null }): Promise<Operator> {
    this.checkName(name);
    const pause = async (tx: EntityManager) => {
      const made = await this.pauses.pause(tx, { operator: name, reason, pausedBy: actor.name, endsAt: until });
      return this.operatorOf(name, made, await this.readKnown());
    };
    const details = { operator: name, reason, until: until?.toISOString() ?? null };
    return this.audit.audited(actor, 'operator.pause', pause, () => ({ details }));
  }

  /** @throws AppError `operator_not_found` for a name that no operator has and that is not paused */
  async resume(actor: Actor, name: string): Promise<Operator> {
    // A pause outlives the row that it was made for: it can be ended all the same.
    const pauses = await this.pauses.list();
    if (!pauses.some(({ operator }) => operator === name)) this.checkName(name);
    const resume = async (tx: EntityManager) => {
      await this.pauses.resume(tx, name);
      return this.operatorOf(name, null, await this.readKnown());
    };
    return this.audit.audited(actor, 'operator.resume', resume, () => ({ details: { operator: name } }));
  }

  /** A pause under a name that nobody has would stop nothing, and its administrator would rely on it. */
  private checkName(name: string): void {
    if (this.titles.has(name)) return;
    const owner = MAIL_HOST.test(name) ? this.providers.forMailHost(name) : null;
    if (owner === this.providers.fallback) return;
    const near = owner === null ? namesNear(name, this.titles.keys(), MAX_SLIPS).slice(0, MAX_OFFERED) : [owner.name];
    const offered = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
    throw new AppError('operator_not_found', { message: `There is no such mail operator.${offered} ${WHERE}` });
  }

  private async readKnown(): Promise<Known> {
    const [circuits, measures] = await Promise.all([
      this.circuits.list(new Date(this.clock.now())),
      this.measures.list(),
    ]);
    return { circuits, measures };
  }

  private operatorOf(name: string, pause: OperatorPause | null, known: Known): Operator {
    const circuits = known.circuits.filter(({ operator }) => operator === name);
    const measure = known.measures.find(({ operator }) => operator === name) ?? null;
    return { name, title: this.titles.get(name) ?? null, pause, circuits, measure };
  }
}

const WHERE = 'GET /admin/v1/operators names those that there are; one without a row has the name of its mail host.';
