import { Query, type StreamableFile } from '@nestjs/common';
import { Caller } from '../keys/access/caller.js';
import type { Principal } from '../keys/access/principal.js';
import { fileFormatOf } from '../platform/http/page.js';
import { tableFile } from '../platform/http/table-file.js';
import { CreditHistoryQuery, ledgerFilterOf } from './credit-history-query.dto.js';
import {
  type CreditEntryReply,
  creditEntryReply,
  CreditHistoryReply,
  creditHistoryReply,
  LEDGER_FILE_COLUMNS,
} from './credit-history.reply.js';
import { CreditHistoryService } from './credit-history.service.js';
import type { LedgerEntry } from './ledger-entry.entity.js';
import { CreditsService } from './credits.service.js';
import type { CreditStatus } from '../presenting/presenter.js';
import { shaped } from '../presenting/present.decorator.js';
import { Route, Routes } from '../keys/route.decorator.js';

@Routes('api/v1/credits', { tag: 'Credits' })
export class CreditsController {
  constructor(
    private readonly credits: CreditsService,
    private readonly ledger: CreditHistoryService,
  ) {}

  @Route.get('', 'getCredits', 'The credits that are left', { needs: 'credits', ok: shaped('credits') })
  status(@Caller() caller: Principal): Promise<CreditStatus> {
    return this.credits.getStatus(caller);
  }

  @Route.get('history', 'listCreditHistory', 'Every change of the balance, the newest first', {
    needs: 'credits',
    for: 'full',
    produces: ['application/json', 'text/csv', 'application/x-ndjson'],
    ok: CreditHistoryReply,
  })
  async history(
    @Caller() caller: Principal,
    @Query() query: CreditHistoryQuery,
  ): Promise<CreditHistoryReply | StreamableFile> {
    const format = fileFormatOf(query);
    const filter = ledgerFilterOf(query);
    if (format === null) return creditHistoryReply(await this.ledger.list(caller, query, filter));
    const rows = entryRows(this.ledger.every(caller, filter));
    return tableFile({ name: 'ledger', format, columns: LEDGER_FILE_COLUMNS, rows });
  }
}

async function* entryRows(entries: AsyncIterable<LedgerEntry>): AsyncGenerator<CreditEntryReply> {
  for await (const entry of entries) yield creditEntryReply(entry);
}
