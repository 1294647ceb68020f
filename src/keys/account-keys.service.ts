import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import type { IdempotencyClaim } from '../idempotency/idempotency-claim.js';
import type { Page, PageQuery } from '../platform/http/page.js';
import { type CeilingsInput, isCeiling } from './scope/ceilings.js';
import { KeyStore } from './access/key.store.js';
import { Account } from './access/account.entity.js';
import { type KeyChange, KeyTransaction } from './access/key-transaction.js';
import { type IssuedKey, type KeyRecord, KeyService, revocationOf } from './key.service.js';
import { recordAccountAction } from './account-actions.js';
import type { KeyUpdate } from './scope/key-changes.js';
import type { KeyScope, KeyKind } from './scope/key-scope.js';
import { getAccountId, type Principal } from './access/principal.js';

export interface AccountKeyRequest {
  readonly kind: 'live' | 'test';
  readonly name: string | null;
  readonly expiresAt: Date | null;
  readonly scope: KeyScope;
  readonly ceilings: CeilingsInput;
}

/** Lists and changes a full account's keys for the account itself. Another account's keys do not exist, nor do live ones for a test key. */
@Injectable()
export class AccountKeysService {
  constructor(
    private readonly keys: KeyService,
    private readonly transaction: KeyTransaction,
    private readonly store: KeyStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  list(principal: Principal, query: PageQuery): Promise<Page<KeyRecord>> {
    return this.keys.list(getAccountId(principal), kindsFor(principal), query);
  }

  /** @throws AppError `live_key_required` and what `KeyService.create` throws */
  create(principal: Principal, request: AccountKeyRequest, claim: IdempotencyClaim | null): Promise<IssuedKey> {
    if (!kindsFor(principal).includes(request.kind)) throw new AppError('live_key_required', { message: TEST_ONLY });
    const accountId = getAccountId(principal);
    return this.transaction.run(async (change) => {
      const giver = await this.keys.lockGiver(change, principal.keyId);
      const issued = await this.keys.create(change, giver, { ...request, accountId });
      const { id, kind, name, expiresAt, permissions, networks } = issued.key;
      const ceilings = isCeiling(request.ceilings) ? request.ceilings : {};
      const details = { kind, name, expires_at: expiresAt, permissions, networks, ...ceilings };
      await recordAccountAction(change.tx, principal, this.clock.date(), 'key.create', details, id);
      return issued;
    }, claim);
  }

  /** @throws AppError `key_not_found` and what `KeyService.rotate` throws */
  rotate(principal: Principal, id: string, graceSeconds: number, claim: IdempotencyClaim | null): Promise<IssuedKey> {
    return this.transaction.run(async (change) => {
      const giver = await this.keys.lockGiver(change, principal.keyId);
      const old = await this.lockOwn(change, principal, id);
      const issued = await this.keys.rotate(change, giver, old, graceSeconds);
      const details = { grace_seconds: graceSeconds, successor: issued.key.id };
      await recordAccountAction(change.tx, principal, this.clock.date(), 'key.rotate', details, id);
      return issued;
    }, claim);
  }

  /**
   * Scope and ceilings hold on all processes as fast as a revocation does.
   * @throws AppError `key_not_found` and what `KeyService.update` throws
   */
  change(principal: Principal, id: string, asked: KeyUpdate): Promise<KeyRecord> {
    return this.transaction.run(async (change) => {
      const giver = await this.keys.lockGiver(change, principal.keyId);
      const old = await this.lockOwn(change, principal, id);
      const { key, changes } = await this.keys.update(change, giver, old, asked);
      if (Object.keys(changes).length > 0)
        await recordAccountAction(change.tx, principal, this.clock.date(), 'key.change', { ...changes }, id);
      return key;
    }, null);
  }

  /** @throws AppError `key_not_found`, `last_live_key` and what `KeyService.revoke` throws */
  async revoke(principal: Principal, id: string, withDescendants: boolean): Promise<void> {
    await this.transaction.run(async (change) => {
      const giver = await this.keys.lockGiver(change, principal.keyId);
      const key = await this.lockOwn(change, principal, id);
      const before = await this.countLive(change, key);
      const revoked = await this.keys.revoke(change, giver, key, withDescendants);
      const isLast = before > 0 && (await this.countLive(change, key)) === 0;
      if (isLast) throw new AppError('last_live_key');
      for (const one of revoked) {
        const details = revocationOf(one, withDescendants ? id : null);
        await recordAccountAction(change.tx, principal, this.clock.date(), 'key.revoke', details, one.id);
      }
    }, null);
  }

  /** The account is locked with the giver, so that two requests cannot each revoke a key in the belief that the other one remains. */
  private async lockOwn(change: KeyChange, principal: Principal, id: string): Promise<KeyRecord> {
    const key = await this.keys.lock(change, id);
    if (!kindsFor(principal).includes(key.kind) || !(await this.isOwn(change, principal, key)))
      throw new AppError('key_not_found');
    return key;
  }

  /** An agent's key is the account's once it has claimed it. */
  private async isOwn({ tx }: KeyChange, { accountId }: Principal, key: KeyRecord): Promise<boolean> {
    if (key.accountId === null || key.accountId === accountId) return key.accountId === accountId;
    return (await tx.findOneBy(Account, { id: key.accountId }))?.claimedBy === accountId;
  }

  private countLive({ tx }: KeyChange, { accountId }: KeyRecord): Promise<number> {
    return this.store.countLasting(tx, accountId!, ['live'], this.clock.date());
  }
}

const TEST_ONLY =
  'A test key creates test keys only. Say "kind":"test", since a key is a live one where nothing is said.';

/**
 * A live key manages the account's test keys too, since the first one must be made by some key. Test keys lie in test systems: a
 * finder of one must not get from it to the account's credits.
 */
function kindsFor({ simulated }: Principal): readonly KeyKind[] {
  return simulated ? ['test'] : ['live', 'test', 'agent'];
}
