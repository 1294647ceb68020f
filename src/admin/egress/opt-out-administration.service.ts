import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { runInTransaction } from '../../idempotency/idempotency-claim.js';
import type { OptOut } from '../../opt-outs/opt-out-subject.js';
import { type NewOptOut, OptOutsService } from '../../opt-outs/opt-outs.service.js';
import type { Page, PageQuery } from '../../platform/http/page.js';
import type { Actor } from '../actor.js';
import { AuditService } from '../audit.service.js';

/** The acts of administrators on domains and mail hosts that are left alone. */
@Injectable()
export class OptOutAdministrationService {
  constructor(
    private readonly optOuts: OptOutsService,
    private readonly audit: AuditService,
    private readonly database: DataSource,
  ) {}

  list(query: PageQuery): Promise<Page<OptOut>> {
    return this.optOuts.list(query);
  }

  /** @throws AppError `invalid_input` */
  async add(actor: Actor, wanted: Omit<NewOptOut, 'madeBy'>): Promise<OptOut> {
    const added = await runInTransaction(this.database, actor.claim, async (tx) => {
      const made = await this.optOuts.add(tx, { ...wanted, madeBy: actor.name });
      const details = {
        kind: made.kind,
        name: made.name,
        reason: made.reason,
        until: made.endsAt.toISOString(),
      };
      await this.audit.record(tx, actor, { action: 'opt_out.add', details });
      return made;
    });
    // The command line has no key: whoever has the machine is the administrator whom an alert would call.
    if (actor.keyId !== null) this.optOuts.alert(added);
    return added;
  }

  /** @throws AppError `opt_out_not_found` */
  remove(actor: Actor, id: string, reason: string): Promise<OptOut> {
    return runInTransaction(this.database, actor.claim, async (tx) => {
      const gone = await this.optOuts.remove(tx, id);
      const details = { kind: gone.kind, name: gone.name, reason };
      await this.audit.record(tx, actor, { action: 'opt_out.remove', details });
      return gone;
    });
  }
}
