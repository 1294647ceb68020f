import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { KEY_POLICIES, type KeyPolicies, policyNamed } from '../../platform/config/policies.js';
import { Presenters } from '../../presenting/presenters.js';
import { EventContents, type StoredEvent } from '../../events/event-contents.js';
import { ResultsService } from './results.service.js';
import { ALL_ROWS } from '../model/row-filter.js';
import type { Batch } from '../model/batch.js';
import { BatchStore } from '../model/batch.store.js';
import { ResultLinks } from './result-links.js';
import { presentRow, resultPresenter } from './result-writers.js';

/** The content of `batch.completed` beside the batch itself: its first results, and a link to all of them. */
@Injectable()
export class BatchEventContent implements OnModuleInit {
  constructor(
    private readonly contents: EventContents,
    private readonly batches: BatchStore,
    private readonly results: ResultsService,
    private readonly links: ResultLinks,
    private readonly presenters: Presenters,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
  ) {}

  onModuleInit(): void {
    this.contents.register('batch.completed', (event, maxResults) => this.make(event, maxResults));
  }

  /** A deleted batch has no results and no link, but the event still carries the batch itself. */
  private async make(event: StoredEvent, maxResults: number): Promise<object> {
    const batch = await this.batches.find(event.batchId!);
    return {
      ...(JSON.parse(event.data) as object),
      results: maxResults > 0 ? await this.firstRows(batch, event.id, maxResults) : null,
      results_url: batch === null ? null : this.links.make(batch.id, event.at),
    };
  }

  private async firstRows(batch: Batch | null, eventId: string, count: number): Promise<object[]> {
    if (batch === null) return [];
    const presenter = this.presenters.for({ policy: policyNamed(this.policies, batch.policy) });
    const present = resultPresenter(presenter, eventId);
    const { rows, names } = await this.results.page(batch, { ...ALL_ROWS, from: 0, isPartial: false }, count);
    return rows.map((row) => presentRow(row, present, names.columns));
  }
}
