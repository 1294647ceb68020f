import { type Page, PageOf, pageReply } from '../platform/http/page.js';
import type { LedgerEntry } from './credit-history.service.js';
import { field, Reply, replyOf } from '../platform/http/reply.js';

export class CreditEntryReply extends Reply({
  created_at: field.time(),
  kind: field.oneOf(['grant', 'reserve', 'charge', 'release', 'adjust']),
  amount: field.integer('What the balance was changed by.'),
  balance_after: field.integer(),
  what_for: field.text({ description: 'The operation, or the reason of a grant.', example: 'verify' }),
  key_id: field.uuidOrNull('The key that asked.'),
  batch_id: field.integerOrNull({
    format: 'int64',
    description: 'The batch, and the list that it becomes, for which the entry is.',
  }),
}) {}

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

export const creditEntryReply = (entry: LedgerEntry) =>
  replyOf(CreditEntryReply, Object.assign({ whatFor: entry.purpose }, entry));
