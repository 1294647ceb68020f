import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DAY_MS } from '../../lib/durations.js';
import { EventContents, type StoredEvent } from '../../events/event-contents.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { KEY_POLICIES, type KeyPolicies, policyNamed } from '../../platform/config/policies.js';
import { Secrets } from '../../platform/config/secrets.js';
import { Presenters } from '../../presenting/presenters.js';
import type { Batch } from '../model/batch.js';
import { BatchStore } from '../model/batch.store.js';
import { ALL_ROWS } from '../model/chunk-result.js';
import { presentRow, resultPresenter } from './result-writers.js';
import { ResultsService } from './results.service.js';

const DAYS = 7;

/** Links to the results of a batch that need no key: the holder of a link may read until it expires or the batch is deleted. */
@Injectable()
export class ResultLinks {
  constructor(
    private readonly secrets: Secrets,
    @Inject(ENV) private readonly env: Env,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** The link of a batch; equal for equal times. */
  make(batchId: number, from: Date): string {
    const expires = Math.floor((from.getTime() + DAYS * DAY_MS) / 1000);
    const signature = this.secrets.sign(textOf(batchId, expires));
    return `${this.env.publicUrl}/api/v1/verify/batch/${batchId}/download?expires=${expires}&signature=${signature}`;
  }

  isValid(batchId: number, expires: number, signature: string): boolean {
    return this.secrets.verify(textOf(batchId, expires), signature) && expires * 1000 > this.clock.now();
  }
}

function textOf(batchId: number, expires: number): string {
  return `results of batch ${batchId} until ${expires}`;
}

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
