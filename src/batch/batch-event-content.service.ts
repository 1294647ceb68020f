import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { KEY_POLICIES, type KeyPolicies, type PolicyName } from '../platform/config/policies.js';
import { Presenters } from '../presenting/presenters.js';
import { EventContents, type StoredEvent } from '../webhooks/event-contents.js';
import { BatchResultsService } from './batch-results.service.js';
import type { Batch } from './batch.lifecycle.js';
import { BatchStore } from './batch.store.js';
import { distinctNames } from './column-names.js';
import { ResultLinks } from './result-links.js';
import { presentRow } from './result-writers.js';

const MOST_ROWS = 1_000;

/** What `batch.completed` carries beside the batch itself: its first results, and a link to all of them. */
@Injectable()
export class BatchEventContentService implements OnModuleInit {
  constructor(
    private readonly contents: EventContents,
    private readonly batches: BatchStore,
    private readonly results: BatchResultsService,
    private readonly links: ResultLinks,
    private readonly presenters: Presenters,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
  ) {}

  onModuleInit(): void {
    this.contents.register('batch.completed', (event, withResults) => this.make(event, withResults));
  }

  /** Of a batch that was deleted only the batch itself is told. */
  private async make(event: StoredEvent, withResults: boolean): Promise<object> {
    const batch = await this.batches.find(event.batchId!);
    return {
      ...(JSON.parse(event.data) as object),
      results: withResults ? await this.firstRows(batch, event.id) : null,
      results_url: batch === null ? null : this.links.make(batch.id, event.at),
    };
  }

  private async firstRows(batch: Batch | null, eventId: string): Promise<object[]> {
    if (batch === null) return [];
    const presenter = this.presenters.for({ policy: this.policies[batch.policy as PolicyName] });
    const { rows } = await this.results.page(batch, 0, MOST_ROWS, null);
    const columns = batch.columns && distinctNames(batch.columns);
    return rows.map((row) => presentRow(row, (result) => presenter.row(result, eventId), columns));
  }
}
