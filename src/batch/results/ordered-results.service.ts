import { Injectable } from '@nestjs/common';
import { BatchStore } from '../model/batch.store.js';
import { CHUNK_SIZE } from '../model/row-ref.js';
import { ResultsService } from './results.service.js';
import { ALL_ROWS } from '../model/chunk-result.js';
import { orderedBlock, OrderedStore } from './ordered.store.js';

/** Puts the results of a large batch in the order of its rows, so that a page of them is read from one place instead of fifty. */
@Injectable()
export class OrderedResultsService {
  constructor(
    private readonly store: OrderedStore,
    private readonly batches: BatchStore,
    private readonly results: ResultsService,
  ) {}

  /**
   * Goes on where the last one has stopped, and begins a block again from which an address was erased meanwhile.
   * @param signal gives up: rejects with its reason, and what is kept stays
   */
  async write(id: number, signal?: AbortSignal): Promise<void> {
    for (;;) {
      const moment = await this.store.moment(id);
      const batch = await this.batches.find(id);
      if (moment === null || batch === null) return;
      let number = await this.store.firstMissing(id);
      let isAsItWas = true;
      for await (const rows of this.results.read(batch, { ...ALL_ROWS, from: number * CHUNK_SIZE, isPartial: false })
        .blocks) {
        signal?.throwIfAborted();
        isAsItWas = await this.store.keep(id, moment, orderedBlock(number, rows));
        if (!isAsItWas) break;
        number += 1;
      }
      if (isAsItWas) return await this.store.finish(id, moment);
    }
  }
}
