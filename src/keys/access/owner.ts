import { getAccountId, type Principal } from './principal.js';

/**
 * The owner of an object: an account, in one mode. Every store that finds, lists, changes or deletes callers' objects asks for
 * both, so that a key finds nothing of another account and nothing of the other mode.
 */
export interface Owner {
  readonly accountId: string;
  /** True in the test mode, false in the live one. */
  readonly simulated: boolean;
}

/** @throws AppError `full_account_required` for an admin key, which owns nothing */
export function ownerOf(principal: Pick<Principal, 'accountId' | 'simulated'>): Owner {
  return { accountId: getAccountId(principal), simulated: principal.simulated };
}

export function isOwn({ accountId, simulated }: Owner, object: Owner): boolean {
  return object.accountId === accountId && object.simulated === simulated;
}
