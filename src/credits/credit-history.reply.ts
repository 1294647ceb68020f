import { ApiProperty } from '@nestjs/swagger';
import { type Page } from '../platform/http/listing.js';
import { PageOf, pageReply } from '../platform/http/page.js';
import type { LedgerEntry } from './credit-history.service.js';

export class CreditEntryReply {
  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;

  @ApiProperty({ enum: ['grant', 'reserve', 'charge', 'release', 'adjust'] })
  readonly kind: string;

  @ApiProperty({ type: 'integer', description: 'What the balance was changed by.' })
  readonly amount: number;

  @ApiProperty({ type: 'integer' })
  readonly balance_after: number;

  @ApiProperty({ description: 'The operation, or the reason of a grant.', example: 'verify' })
  readonly what_for: string;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'The key that asked.' })
  readonly key_id: string | null;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description: 'The batch, and the list that it becomes, for which the entry is.',
  })
  readonly batch_id: number | null;
}

export class CreditHistoryReply extends PageOf(CreditEntryReply, 'entries') {}

/** The columns of a CSV. */
export const LEDGER_FILE_COLUMNS = [
  'created_at',
  'kind',
  'amount',
  'balance_after',
  'what_for',
  'key_id',
  'batch_id',
] as const satisfies readonly (keyof CreditEntryReply)[];

export const creditHistoryReply = (page: Page<LedgerEntry>): CreditHistoryReply =>
  pageReply('entries', page, creditEntryReply);

export function creditEntryReply(entry: LedgerEntry): CreditEntryReply {
  return {
    created_at: entry.createdAt.toISOString(),
    kind: entry.kind,
    amount: entry.amount,
    balance_after: entry.balanceAfter,
    what_for: entry.purpose,
    key_id: entry.keyId,
    batch_id: entry.batchId,
  };
}
