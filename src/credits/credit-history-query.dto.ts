import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, IsUUID, Matches, Max, Min } from 'class-validator';
import { DAY_MS } from '../lib/durations.js';
import { invalidField } from '../platform/errors/app-error.js';
import { FileQuery } from '../platform/http/page.js';
import { OptionalDay } from '../platform/http/fields.js';
import type { LedgerFilter, LedgerKind } from './ledger.store.js';

const KINDS = /^(grant|reserve|release|charge|adjust)(,(grant|reserve|release|charge|adjust)){0,4}$/;

/** Which entries of the ledger, as a page or as a file of them all. */
export class CreditHistoryQuery extends FileQuery {
  @ApiPropertyOptional({
    pattern: KINDS.source,
    example: 'charge,release',
    description: 'Comma list of kinds; all when left out.',
  })
  @IsOptional()
  @IsString()
  @Matches(KINDS, { message: 'kind must be a comma list of grant, reserve, release, charge, adjust' })
  readonly kind?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Only what this key asked for.' })
  @IsOptional()
  @IsUUID()
  readonly key_id?: string;

  @ApiPropertyOptional({
    type: 'integer',
    format: 'int64',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Only what is for this batch.',
  })
  @IsOptional()
  @Transform(({ value }) => (typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value))
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly batch_id?: number;

  @OptionalDay('The first day (UTC).')
  readonly from?: string;

  @OptionalDay('The last day (UTC), which is in it.')
  readonly to?: string;
}

/** @throws AppError `invalid_input` for days that end before they begin */
export function ledgerFilterOf({ kind, key_id, batch_id, from, to }: CreditHistoryQuery): LedgerFilter {
  if (from !== undefined && to !== undefined && from > to) throw invalidField('from', 'must not lie after `to`');
  return {
    kinds: kind === undefined ? null : (kind.split(',') as LedgerKind[]),
    keyId: key_id ?? null,
    batchId: batch_id ?? null,
    from: from === undefined ? null : new Date(from),
    until: to === undefined ? null : new Date(Date.parse(to) + DAY_MS),
  };
}
