import { Inject, Injectable } from '@nestjs/common';
import type { Batch } from '../batch/model/batch.js';
import { ADDRESSES } from '../batch/model/batch-kind.js';
import { BatchService } from '../batch/http/batch.service.js';
import type { Principal } from '../keys/access/principal.js';
import { ENV, type Env } from '../platform/config/env.js';
import { AppError } from '../platform/errors/app-error.js';
import type { Page, PageQuery } from '../platform/http/page.js';

/** A list is a completed batch of addresses: it has the batch's id and is deleted with it. */
@Injectable()
export class ListsService {
  constructor(
    private readonly batches: BatchService,
    @Inject(ENV) private readonly env: Env,
  ) {}

  list(principal: Principal, query: PageQuery): Promise<Page<Batch>> {
    return this.batches.listCompleted(principal, query);
  }

  /** @throws AppError `list_not_found`, also for another owner's and for a batch that is not completed */
  async get(principal: Principal, id: number): Promise<Batch> {
    const batch = await this.batches.get(principal, ADDRESSES, id).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'batch_not_found' ? new AppError('list_not_found') : error;
    });
    if (batch.state !== 'completed') throw new AppError('list_not_found');
    return batch;
  }

  /** @param name null: the list keeps its name. @throws AppError `list_not_found` */
  async rename(principal: Principal, id: number, name: string | null): Promise<Batch> {
    if (name !== null) await this.batches.rename(principal, id, name);
    return this.get(principal, id);
  }

  /** Deletes the list, its batch and every address of it. @throws AppError `list_not_found` */
  async remove(principal: Principal, id: number): Promise<void> {
    await this.get(principal, id);
    await this.batches.remove(principal, ADDRESSES, id, 'list');
  }

  /** The body of a list without its rows. */
  body(batch: Batch): object {
    const downloadUrl = `${this.env.publicUrl}/api/v1/lists/${batch.id}/download`;
    return { id: batch.id, ...listDetails(batch), download_url: downloadUrl };
  }
}

/** What every interface tells of a list. */
export function listDetails(batch: Batch) {
  return {
    name: batch.name ?? `batch ${batch.id}`,
    batch_id: batch.id,
    total_emails: batch.totalRows,
    counts: batch.counts,
    created_at: batch.finishedAt!.toISOString(),
    expires_at: batch.expiresAt!.toISOString(),
  };
}
