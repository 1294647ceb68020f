import { Inject, Injectable } from '@nestjs/common';
import { DownloadsService } from '../../batch/results/downloads.service.js';
import { BatchService } from '../../batch/batch.service.js';
import { HeldBatchesService } from '../../batch/held-batches.service.js';
import type { Batch } from '../../batch/model/batch.js';
import { ADDRESSES, type BatchKind, batchStatus, PEOPLE } from '../../batch/model/batch-kind.js';
import type { Principal } from '../../keys/access/principal.js';
import { ListChangesService } from '../../lists/list-changes.service.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { everyRow } from '../../platform/http/files/every-row.js';
import { Presenters } from '../../presenting/presenters.js';

/** Batches with their rows, and what the runs of scheduled lists found changed. */
@Injectable()
export class ExportedBatches {
  constructor(
    private readonly batches: BatchService,
    private readonly held: HeldBatchesService,
    private readonly downloads: DownloadsService,
    private readonly changes: ListChangesService,
    private readonly presenters: Presenters,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  async *lines(principal: Principal, requestId: string): AsyncGenerator<object, void> {
    const presenter = this.presenters.for(principal);
    for (const kind of [ADDRESSES, PEOPLE])
      for await (const batch of everyRow((page) => this.batches.list(principal, kind, page))) {
        yield await this.lineOf(principal, kind, batch);
        for await (const row of this.downloads.bodies(batch, presenter, requestId))
          yield { type: 'row', batch_id: batch.id, ...row };
        if (batch.listId !== null) yield* this.changesOf(batch.listId, batch.id);
      }
  }

  private async lineOf(principal: Principal, kind: BatchKind, batch: Batch): Promise<object> {
    const [quote] = await this.held.quotesOf(principal, kind, [batch]);
    return {
      type: 'batch',
      kind: kind.name,
      ...batchStatus(batch, this.clock.now(), quote),
      webhook_url: batch.webhookUrl,
      retry_window_seconds: batch.retryWindowSeconds,
    };
  }

  private async *changesOf(listId: number, batchId: number): AsyncGenerator<object, void> {
    const page = async ({ cursor, limit }: { readonly cursor?: string; readonly limit?: number }) => {
      const { changes, nextCursor } = await this.changes.page(batchId, cursor, limit!);
      return { items: changes, nextCursor };
    };
    for await (const change of everyRow(page)) yield { type: 'change', list_id: listId, batch_id: batchId, ...change };
  }
}
