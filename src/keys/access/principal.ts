import type { KeyKind, KeyScope } from '../scope/key-scope.js';
import type { Trace } from '../../platform/logging/trace.js';
import type { KeyPolicy } from '../../platform/config/policies.js';
import { AppError } from '../../platform/errors/app-error.js';

/** Who is calling: made once by the access service, read everywhere else. */
export interface Principal {
  readonly keyId: string;
  /** Null for admin keys, which belong to no account. */
  readonly accountId: string | null;
  /** Compared only in `keys/` and `presenting/`; elsewhere read what you need from `policy`. */
  readonly kind: KeyKind;
  /** A test key calls: the simulated engine answers, and nothing is charged (docs/test-mode.md). */
  readonly simulated: boolean;
  /** The caller's IP address, from trusted proxies only. */
  readonly clientAddress: string;
  readonly policy: KeyPolicy;
  readonly scope: KeyScope;
  /** The request's; missing where nobody has asked by one, such as in work that begins by itself. */
  readonly trace?: Trace;
  /** The console reads in a browser, at a rate of its own. */
  readonly isConsole?: boolean;
  /** The ceilings on what the key spends of a balance (docs/credits.md#ceilings-of-a-key); null: it has none. */
  readonly ceilingId: string | null;
  /** Who pays for a claimed agent beyond its free credits; null for every other key. */
  readonly claimer: Claimer | null;
}

/** The full account that has claimed an agent. */
export interface Claimer {
  readonly accountId: string;
  readonly policy: KeyPolicy;
}

/** The account that pays, also without a caller, such as the owner of a batch that is started again. */
export type Payer = Omit<Principal, 'kind' | 'clientAddress' | 'scope' | 'isConsole'>;

/** @throws AppError `full_account_required` for an admin key. */
export function getAccountId({ accountId }: Pick<Principal, 'accountId'>): string {
  if (accountId === null) throw new AppError('full_account_required', { message: ADMIN_WITHOUT_ACCOUNT });
  return accountId;
}

const ADMIN_WITHOUT_ACCOUNT = 'This needs the key of an account; an admin key belongs to none.';
