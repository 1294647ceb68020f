import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DAY_MS } from '../../lib/durations.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { CheckHistory } from '../../platform/database/check-history.js';
import { columnsNamed } from '../../platform/database/rows.js';
import { Listing } from '../../platform/http/listing.js';
import type { DomainResult } from './domain-result.js';

/** A check of a domain as it is kept. */
export interface DomainCheck {
  readonly id: number;
  readonly domain: string;
  readonly result: DomainResult;
  readonly creditsCharged: number;
  readonly latencyMs: number;
  readonly createdAt: Date;
}

/** What domains were found to publish before; a list may be of one domain. */
@Injectable()
export class DomainCheckHistoryService extends CheckHistory<DomainCheck> {
  constructor(database: DataSource, @Inject(CLOCK) clock: WallClock) {
    super(database, clock, {
      table: 'domain_checks',
      columns: columnsNamed<DomainCheck>()('id domain result creditsCharged latencyMs createdAt'),
      listing: new Listing('domain-checks', 'integer'),
      retentionMs: 30 * DAY_MS,
      refusal: 'check_not_found',
      filter: 'domain',
    });
  }
}
