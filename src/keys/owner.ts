import { getAccountId, type Principal } from './principal.js';

/**
 * Whose an object is: an account's, in one mode. Every store that finds, lists, changes or deletes what callers own asks for
 * both, so that a key finds nothing of another account and nothing of the other mode.
 */
export interface Owner {
  readonly accountId: string;
  /** Of the test mode; else of the live one. */
  readonly simulated: boolean;
}

/** @throws AppError `full_account_required` for an admin key, which owns nothing */
export function ownerOf(principal: Pick<Principal, 'accountId' | 'simulated'>): Owner {
  return { accountId: getAccountId(principal), simulated: principal.simulated };
}

export function isOwn({ accountId, simulated }: Owner, thing: Owner): boolean {
  return thing.accountId === accountId && thing.simulated === simulated;
}
