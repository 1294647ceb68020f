import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { RequireFullAccount } from '../keys/access/audience.js';
import { Caller } from '../keys/access/caller.js';
import type { Principal } from '../keys/access/principal.js';
import { fileFormatOf } from '../platform/http/files/file-query.js';
import { tableFile } from '../platform/http/files/table-file.js';
import { Present } from '../presenting/present.decorator.js';
import { CreditHistoryQuery, ledgerFilterOf } from './credit-history-query.dto.js';
import {
  type CreditEntryReply,
  creditEntryReply,
  CreditHistoryReply,
  creditHistoryReply,
  LEDGER_FILE_COLUMNS,
} from './credit-history.reply.js';
import { CreditHistoryService, type LedgerEntry } from './credit-history.service.js';
import type { CreditStatus } from '../presenting/presenter.js';
import { CreditsService } from './credits.service.js';

@ApiTags('Credits')
@ApiBearerAuth()
@Controller('api/v1/credits')
export class CreditsController {
  constructor(
    private readonly credits: CreditsService,
    private readonly ledger: CreditHistoryService,
  ) {}

  @Get()
  @Present('credits')
  @ApiOperation({ operationId: 'getCredits', summary: 'The credits that are left' })
  status(@Caller() caller: Principal): Promise<CreditStatus> {
    return this.credits.getStatus(caller);
  }

  @Get('history')
  @RequireFullAccount()
  @ApiProduces('application/json', 'text/csv', 'application/x-ndjson')
  @ApiOkResponse({ type: CreditHistoryReply })
  @ApiOperation({ operationId: 'listCreditHistory', summary: 'Every change of the balance, the newest first' })
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
