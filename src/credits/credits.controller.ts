import { Query } from '@nestjs/common';
import { Caller } from '../keys/access/caller.js';
import type { Principal } from '../keys/access/principal.js';
import { fileFormatOf, FileQuery } from '../platform/http/page.js';
import { tableFile } from '../platform/http/table-file.js';
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
import { shaped } from '../presenting/present.decorator.js';
import { Route, Routes } from '../keys/route.decorator.js';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, Matches } from 'class-validator';
import { DAY_MS } from '../lib/durations.js';
import { invalidField } from '../platform/errors/app-error.js';
import { IntegerInQuery, OptionalDay, OptionalUuid } from '../platform/http/fields.js';
import type { LedgerFilter, LedgerKind } from './ledger.store.js';

const KINDS = /^(grant|reserve|release|charge|adjust)(,(grant|reserve|release|charge|adjust)){0,4}$/;
const IDS = { format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;

/** Which entries of the ledger, as a page or as a file of them all. */
class CreditHistoryQuery extends FileQuery {
  @ApiPropertyOptional({
    pattern: KINDS.source,
    example: 'charge,release',
    description: 'Comma list of kinds; all when left out.',
  })
  @IsOptional()
  @IsString()
  @Matches(KINDS, { message: 'kind must be a comma list of grant, reserve, release, charge, adjust' })
  readonly kind?: string;

  @OptionalUuid({ description: 'Only what this key asked for.' })
  readonly key_id?: string;

  @IntegerInQuery({ ...IDS, description: 'Only what is for this batch.' }, (text) =>
    /^\d{1,16}$/.test(text) ? Number(text) : text,
  )
  readonly batch_id?: number;

  @OptionalDay('The first day (UTC).')
  readonly from?: string;

  @OptionalDay('The last day (UTC), which is in it.')
  readonly to?: string;
}

/** @throws AppError `invalid_input` for days that end before they begin */
function ledgerFilterOf({ kind, key_id, batch_id, from, to }: CreditHistoryQuery): LedgerFilter {
  if (from !== undefined && to !== undefined && from > to) throw invalidField('from', 'must not lie after `to`');
  return {
    kinds: kind === undefined ? null : (kind.split(',') as LedgerKind[]),
    keyId: key_id ?? null,
    batchId: batch_id ?? null,
    from: from === undefined ? null : new Date(from),
    until: to === undefined ? null : new Date(Date.parse(to) + DAY_MS),
  };
}

@Routes('api/v1/credits', { tag: 'Credits', needs: 'credits' })
export class CreditsController {
  constructor(
    private readonly credits: CreditsService,
    private readonly ledger: CreditHistoryService,
  ) {}

  @Route.get('', 'getCredits', 'The credits that are left', { ok: shaped('credits') })
  status(@Caller() caller: Principal) {
    return this.credits.getStatus(caller);
  }

  @Route.get('history', 'listCreditHistory', 'Every change of the balance, the newest first', {
    for: 'full',
    produces: ['application/json', 'text/csv', 'application/x-ndjson'],
    ok: CreditHistoryReply,
  })
  async history(@Caller() caller: Principal, @Query() query: CreditHistoryQuery) {
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
