import type { Account } from '../access/account.entity.js';
import type { Principal } from '../access/principal.js';
import type { KeyRecord } from '../access/key.store.js';

/** Who is signed in, and what the pages may show. */
export interface SessionReply {
  readonly key: {
    readonly id: string;
    readonly kind: string;
    readonly name: string | null;
    readonly last_four: string;
  };
  readonly account: { readonly id: string; readonly name: string | null; readonly plan: string } | null;
  readonly simulated: boolean;
  /** Null: all that the kind of key may. */
  readonly permissions: readonly string[] | null;
  /** The most rows of one list. */
  readonly batch_size: number;
  readonly retention_days: number;
  /** When the session ends unless it is used before. */
  readonly expires_at: string | null;
}

export function sessionReply(
  { scope, policy, simulated }: Principal,
  { id, kind, name, lastFour }: KeyRecord,
  account: Account | null,
  expiresAt: Date | null,
): SessionReply {
  return {
    key: { id, kind, name, last_four: lastFour },
    account: account && { id: account.id, name: account.name, plan: account.policy },
    simulated,
    permissions: scope.permissions,
    batch_size: policy.batchSize,
    retention_days: policy.retentionDays,
    expires_at: expiresAt?.toISOString() ?? null,
  };
}
