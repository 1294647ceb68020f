import { Inject, Injectable } from '@nestjs/common';
import type { Batch } from '../batch/model/batch.js';
import { ADDRESSES } from '../batch/model/batch-kind.js';
import { BatchService } from '../batch/batch.service.js';
import type { Principal } from '../keys/access/principal.js';
import { ENV, type Env } from '../platform/config/env.js';
import { AppError } from '../platform/errors/app-error.js';
import type { Page, PageQuery } from '../platform/http/page.js';

/** A list with its newest version. */
export interface List {
  /** The batch that made it. */
  readonly list: Batch;
  /** The batch that verified it last: the same one, unless it was verified again. */
  readonly current: Batch;
}

/** A list is a completed batch of addresses: it has the batch's id and is deleted with it, and with the batches that verified it again. */
@Injectable()
export class ListsService {
  constructor(
    private readonly batches: BatchService,
    @Inject(ENV) private readonly env: Env,
  ) {}

  async list(principal: Principal, query: PageQuery): Promise<Page<List>> {
    const { items, nextCursor } = await this.batches.listCompleted(principal, query);
    const versions = await this.batches.currentVersions(items.map(({ id }) => id));
    return { items: items.map((list) => ({ list, current: versions.get(list.id) ?? list })), nextCursor };
  }

  /** @throws AppError `list_not_found`, also for another owner's, for a batch that is not completed, and for a version of a list */
  async get(principal: Principal, id: number): Promise<List> {
    const batch = await this.batches.get(principal, ADDRESSES, id).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'batch_not_found' ? new AppError('list_not_found') : error;
    });
    if (batch.state !== 'completed' || batch.listId !== null) throw new AppError('list_not_found');
    return { list: batch, current: (await this.batches.currentVersions([id])).get(id) ?? batch };
  }

  /** @param name null: the list keeps its name. @throws AppError `list_not_found` */
  async rename(principal: Principal, id: number, name: string | null): Promise<List> {
    if (name !== null) await this.batches.rename(principal, id, name);
    return this.get(principal, id);
  }

  /** Deletes the list, its batch and every address of it. @throws AppError `list_not_found` */
  async remove(principal: Principal, id: number): Promise<void> {
    await this.get(principal, id);
    await this.batches.remove(principal, ADDRESSES, id, 'list');
  }

  /** The body of a list without its rows. */
  body(one: List): object {
    const { id } = one.list;
    const downloadUrl = `${this.env.publicUrl}/api/v1/lists/${id}/download`;
    const verifiedAt = one.current.finishedAt!.toISOString();
    return { id, ...listDetails(one), verified_at: verifiedAt, download_url: downloadUrl };
  }
}

/** What every interface tells of a list. */
export function listDetails({ list, current }: List) {
  return {
    name: list.name ?? `batch ${list.id}`,
    batch_id: current.id,
    total_emails: list.totalRows,
    counts: current.counts,
    created_at: list.finishedAt!.toISOString(),
    expires_at: list.expiresAt?.toISOString() ?? null,
  };
}
