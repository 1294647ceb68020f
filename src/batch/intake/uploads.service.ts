import { Inject, Injectable } from '@nestjs/common';
import { getAccountId, type Principal } from '../../keys/access/principal.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import type { BatchKind } from '../model/batch-kind.js';
import { newTraceId } from '../../platform/logging/trace.js';
import type { NewBatch } from '../model/batch-row.js';
import { newBatchId } from '../model/batch-number.js';
import { BatchStore } from '../model/batch.store.js';
import { BatchReuse } from '../ended/batch-reuse.service.js';
import { type BatchDefaults, BatchSettingsService } from './batch-settings.service.js';
import { IntakeStore } from './intake.store.js';
import { readOperators } from './operators.js';
import { Packer } from './packer.js';
import { Upload } from './upload.js';
import { UploadPlaces } from './upload-places.js';

/** Begins uploads. */
@Injectable()
export class Uploads {
  private readonly operators = readOperators();
  private readonly blocks = new IntakeStore();
  private readonly places = new UploadPlaces();

  constructor(
    private readonly batches: BatchStore,
    private readonly reuse: BatchReuse,
    private readonly settings: BatchSettingsService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Fills in what the account has chosen. @throws AppError `invalid_input` for more days than the plan has */
  resolve(principal: Principal, given: BatchDefaults): ReturnType<BatchSettingsService['resolve']> {
    return this.settings.resolve(principal, given);
  }

  /**
   * Waits for a place of the account, which the upload holds until `place.leave`.
   * @param gone the caller has gone, or its time is up
   * @throws AppError as `UploadPlaces.enter` does
   */
  async begin(principal: Principal, kind: BatchKind, gone?: AbortSignal): Promise<Upload> {
    const { batches, blocks, reuse } = this;
    const place = await this.places.enter({ ...principal, accountId: getAccountId(principal) }, gone);
    const packer = new Packer(this.operators, (item) => kind.isMalformed(item));
    return new Upload(this.newBatch(principal, kind), packer, place, { batches, blocks, reuse });
  }

  private newBatch(principal: Principal, kind: BatchKind): NewBatch {
    const now = this.clock.now();
    return {
      id: newBatchId(now),
      accountId: getAccountId(principal),
      keyId: principal.keyId,
      policy: principal.policy.name,
      simulated: principal.simulated,
      kind: kind.name,
      createdAt: new Date(now),
      listId: null,
      traceId: principal.trace?.id ?? newTraceId(),
    };
  }
}
