import { Injectable } from '@nestjs/common';
import { getAccountId, type Principal } from '../keys/principal.js';
import { AppError } from '../platform/errors/app-error.js';
import { type Page, pageOf, type PageRequest } from '../platform/http/page.js';
import { type LedgerEntry, LedgerStore } from './ledger.store.js';

export type { LedgerEntry };

/** What happened to an account's balance. */
@Injectable()
export class CreditHistoryService {
  constructor(private readonly ledger: LedgerStore) {}

  /** The newest first. */
  async list(principal: Principal, request: PageRequest): Promise<Page<LedgerEntry>> {
    const rows = await this.ledger.list(getAccountId(principal), numberBefore(request), request.limit + 1);
    return pageOf(rows, request, ({ createdAt, number }) => ({ at: createdAt, id: String(number) }));
  }
}

/** @throws AppError `invalid_input` for the cursor of another listing */
function numberBefore({ after }: PageRequest): number | null {
  if (after === null) return null;
  const number = Number(after.id);
  if (Number.isSafeInteger(number)) return number;
  throw new AppError('invalid_input', { fields: [{ field: 'cursor', error: 'cursor is not one of ours' }] });
}
