import type { KeyPolicy } from '../platform/config/policies.js';
import { AppError } from '../platform/errors/app-error.js';

export type KeyKind = 'agent' | 'live' | 'test' | 'admin';

/** Who is calling: made once by the access service, read everywhere else. */
export interface Principal {
  readonly keyId: string;
  /** Null for admin keys, which belong to no account. */
  readonly accountId: string | null;
  /** Compared only in `keys/` and `presenting/`; elsewhere read what you need from `policy`. */
  readonly kind: KeyKind;
  /** A test key's caller: asks the simulated mail world and is never charged (contract section 9). */
  readonly simulated: boolean;
  /** Told through trusted proxies only. */
  readonly clientAddress: string;
  readonly policy: KeyPolicy;
}

/** Whose credits are meant, also when nobody is calling: the owner of a batch that is begun again. */
export type Payer = Omit<Principal, 'kind' | 'clientAddress'>;

/** @throws AppError `full_account_required` for an admin key. */
export function getAccountId({ accountId }: Pick<Principal, 'accountId'>): string {
  if (accountId === null) throw new AppError('full_account_required', { message: ADMIN_WITHOUT_ACCOUNT });
  return accountId;
}

const ADMIN_WITHOUT_ACCOUNT = 'This needs the key of an account; an admin key belongs to none.';
