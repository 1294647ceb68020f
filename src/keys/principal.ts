import type { KeyPolicy } from '../platform/config/policies.js';

export type KeyKind = 'agent' | 'live' | 'test' | 'admin';

/** Who is calling: made once by the access guard, read everywhere else. */
export interface Principal {
  readonly keyId: string;
  /** Null for admin keys, which belong to no account. */
  readonly accountId: string | null;
  /** Compared only in `keys/` and `presenting/`; elsewhere read what you need from `policy`. */
  readonly kind: KeyKind;
  readonly policy: KeyPolicy;
}
