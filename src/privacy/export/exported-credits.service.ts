import { Injectable } from '@nestjs/common';
import { creditEntryReply } from '../../credits/credit-history.reply.js';
import { CreditHistoryService } from '../../credits/credit-history.service.js';
import { CreditsService } from '../../credits/credits.service.js';
import { UsageService } from '../../credits/usage/usage.service.js';
import type { Principal } from '../../keys/access/principal.js';
import { everyRow } from '../../platform/http/files/every-row.js';
import { Presenters } from '../../presenting/presenters.js';
import { lineOf } from './line-of.js';

/** What an account may spend, what it has spent on what, and what was refused. */
@Injectable()
export class ExportedCredits {
  constructor(
    private readonly credits: CreditsService,
    private readonly ledger: CreditHistoryService,
    private readonly usage: UsageService,
    private readonly presenters: Presenters,
  ) {}

  async *lines(principal: Principal, requestId: string): AsyncGenerator<object, void> {
    const status = await this.credits.getStatus(principal);
    yield lineOf('credits', this.presenters.for(principal).credits(status, requestId));
    for await (const entry of everyRow((page) => this.ledger.list(principal, page)))
      yield lineOf('ledger_entry', creditEntryReply(entry));
    for await (const { keyId, freeCredits, ...day } of this.usage.everyDay(principal))
      yield { type: 'usage', ...day, key_id: keyId, free_credits: freeCredits };
    for await (const { keyId, ...refused } of this.usage.everyRefusal(principal))
      yield { type: 'refusals', ...refused, key_id: keyId };
  }
}
