import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DAY_MS } from '../../lib/durations.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { CheckHistory } from '../../platform/database/check-history.js';
import { columnsNamed } from '../../platform/database/rows.js';
import { Listing } from '../../platform/http/listing.js';
import type { TargetResultReply } from './blacklists.reply.js';

/** A check as it is kept. */
export interface BlacklistCheck {
  readonly id: number;
  readonly results: readonly TargetResultReply[];
  readonly creditsCharged: number;
  readonly latencyMs: number;
  readonly createdAt: Date;
}

/** What was asked before. */
@Injectable()
export class BlacklistCheckHistoryService extends CheckHistory<BlacklistCheck> {
  constructor(database: DataSource, @Inject(CLOCK) clock: WallClock) {
    super(database, clock, {
      table: 'blacklist_checks',
      columns: columnsNamed<BlacklistCheck>()('id results creditsCharged latencyMs createdAt'),
      listing: new Listing('blacklist-checks', 'integer'),
      retentionMs: 30 * DAY_MS,
      refusal: 'check_not_found',
    });
  }
}
