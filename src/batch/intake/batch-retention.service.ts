import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ownerOf } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { recordOwnAct } from '../../keys/own-acts.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import type { Batch } from '../model/batch.js';
import type { BatchKind } from '../model/batch-kind.js';
import { BatchStore } from '../model/batch.store.js';
import { checkRetention } from './batch-settings.service.js';

/** Changes how long a batch is kept that is there already. */
@Injectable()
export class BatchRetention {
  constructor(
    private readonly database: DataSource,
    private readonly batches: BatchStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /**
   * The versions of a list are kept as long as the list is.
   * @param days null: the caller has not said it
   * @throws AppError `batch_not_found`, `invalid_input` for more days than the plan has
   */
  change(principal: Principal, kind: BatchKind, id: number, days: number | null): Promise<Batch> {
    return this.database.transaction(async (tx) => {
      const batch = await this.batches.lockOf(tx, ownerOf(principal), id, kind.name);
      if (batch === null) throw new AppError('batch_not_found');
      if (days === null) throw invalidField('retention_days', 'must be a whole number of days');
      checkRetention(principal, days);
      await this.batches.lockVersions(tx, id);
      const changed = await this.batches.setRetention(tx, id, days);
      await recordOwnAct(tx, principal, new Date(this.clock.now()), 'batch.retention', {
        batch_id: id,
        kind: kind.name,
        retention_days: days,
      });
      return changed;
    });
  }
}
