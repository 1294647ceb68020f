import { Injectable } from '@nestjs/common';
import type { Principal } from '../../keys/access/principal.js';
import { ExportedAccount } from './exported-account.service.js';
import { ExportedBatches } from './exported-batches.service.js';
import { ExportedCredits } from './exported-credits.service.js';
import { ExportedRecords } from './exported-records.service.js';
import { ExportedSettings } from './exported-settings.service.js';
import { ExportedWebhooks } from './exported-webhooks.service.js';

/** All that an account has in the mode of the key, a line a thing. */
@Injectable()
export class ExportLines {
  constructor(
    private readonly account: ExportedAccount,
    private readonly settings: ExportedSettings,
    private readonly batches: ExportedBatches,
    private readonly webhooks: ExportedWebhooks,
    private readonly credits: ExportedCredits,
    private readonly records: ExportedRecords,
  ) {}

  async *of(principal: Principal, requestId: string): AsyncGenerator<object, void> {
    yield* this.account.lines(principal);
    yield* this.settings.lines(principal);
    yield* this.batches.lines(principal, requestId);
    yield* this.webhooks.lines(principal);
    yield* this.credits.lines(principal, requestId);
    yield* this.records.lines(principal);
  }
}
