import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { runInTransaction } from '../idempotency/idempotency-claim.js';
import { AppError } from '../platform/errors/app-error.js';
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
    private readonly audit: AuditService,
    private readonly database: DataSource,
  ) {}

  /** Those with a row, and all that are paused, by name. */
  async list(): Promise<readonly Operator[]> {
    const pauses = new Map((await this.pauses.list()).map((pause) => [pause.operator, pause]));
    const names = new Set([...this.titles.keys(), ...pauses.keys()]);
    return [...names].sort().map((name) => this.operatorOf(name, pauses.get(name) ?? null));
  }

  /** @throws AppError `operator_not_found` for a name that no operator can have; `invalid_input` for an end that does not lie ahead */
  pause(actor: Actor, name: string, { reason, until }: { reason: string; until: Date | null }): Promise<Operator> {
    checkName(name);
    return runInTransaction(this.database, actor.claim, async (tx) => {
      const pause = await this.pauses.pause(tx, { operator: name, reason, pausedBy: actor.name, endsAt: until });
      const details = { operator: name, reason, until: until?.toISOString() ?? null };
      await this.audit.record(tx, actor, { action: 'operator.pause', details });
      return this.operatorOf(name, pause);
    });
  }

  /** @throws AppError `operator_not_found` for a name that no operator can have */
  resume(actor: Actor, name: string): Promise<Operator> {
    checkName(name);
    return runInTransaction(this.database, actor.claim, async (tx) => {
      await this.pauses.resume(tx, name);
      await this.audit.record(tx, actor, { action: 'operator.resume', details: { operator: name } });
      return this.operatorOf(name, null);
    });
  }

  private operatorOf(name: string, pause: OperatorPause | null): Operator {
    return { name, title: this.titles.get(name) ?? null, pause };
  }
}

function checkName(name: string): void {
  if (!OPERATOR.test(name) || name === NOBODY) throw new AppError('operator_not_found');
}
