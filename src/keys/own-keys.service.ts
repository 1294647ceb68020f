import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import type { Claim } from '../platform/http/claim.js';
import type { Page, PageQuery } from '../platform/http/page.js';
import { AccountKeyStore } from './account-key.store.js';
import { AccountStore } from './account.store.js';
import { type KeyChange, KeyChangesService } from './key-changes.service.js';
import { type IssuedKey, type KeyRecord, KeysService } from './keys.service.js';
import { recordOwnAct } from './own-acts.js';
import { getAccountId, type KeyKind, type Principal } from './principal.js';

export interface OwnKeyRequest {
  readonly kind: 'live' | 'test';
  readonly name: string | null;
  readonly expiresAt: Date | null;
}

/** What a full account may do about its own keys. Another account's do not exist, nor do live ones for a test key. */
@Injectable()
export class OwnKeysService {
  constructor(
    private readonly keys: KeysService,
    private readonly changes: KeyChangesService,
    private readonly store: AccountKeyStore,
    private readonly accounts: AccountStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  list(principal: Principal, query: PageQuery): Promise<Page<KeyRecord>> {
    return this.keys.list(getAccountId(principal), kindsFor(principal), query);
  }

  /** @throws AppError `live_key_required` and what `KeysService.create` throws */
  create(principal: Principal, request: OwnKeyRequest, claim: Claim | null): Promise<IssuedKey> {
    if (!kindsFor(principal).includes(request.kind)) throw new AppError('live_key_required');
    const accountId = getAccountId(principal);
    return this.changes.change(async (change) => {
      const issued = await this.keys.create(change, { ...request, accountId });
      const { id, kind, name, expiresAt } = issued.key;
      await recordOwnAct(change.tx, principal, this.now(), 'key.create', { kind, name, expires_at: expiresAt }, id);
      return issued;
    }, claim);
  }

  /** @throws AppError `key_not_found`, `state_conflict` */
  rotate(principal: Principal, id: string, graceSeconds: number, claim: Claim | null): Promise<IssuedKey> {
    return this.changes.change(async (change) => {
      await this.lockOwn(change, principal, id);
      const issued = await this.keys.rotate(change, id, graceSeconds);
      const details = { grace_seconds: graceSeconds, successor: issued.key.id };
      await recordOwnAct(change.tx, principal, this.now(), 'key.rotate', details, id);
      return issued;
    }, claim);
  }

  /** @throws AppError `key_not_found`; `state_conflict` for the account's last live key */
  async revoke(principal: Principal, id: string): Promise<void> {
    await this.changes.change(async (change) => {
      const key = await this.lockOwn(change, principal, id);
      const before = await this.countLive(change, key);
      await this.keys.revoke(change, id);
      const isLast = before > 0 && (await this.countLive(change, key)) === 0;
      if (isLast) throw new AppError('state_conflict', { message: LAST_LIVE_KEY });
      await recordOwnAct(change.tx, principal, this.now(), 'key.revoke', { kind: key.kind }, id);
    }, null);
  }

  /** The account is locked first, so that two requests do not each leave the other's key as the last one. */
  private async lockOwn(change: KeyChange, principal: Principal, id: string): Promise<KeyRecord> {
    await this.accounts.lock(change.tx, getAccountId(principal));
    const key = await this.keys.lock(change, id);
    if (key.accountId !== principal.accountId || !kindsFor(principal).includes(key.kind))
      throw new AppError('key_not_found');
    return key;
  }

  private countLive({ tx }: KeyChange, { accountId }: KeyRecord): Promise<number> {
    return this.store.countLasting(tx, accountId!, ['live'], this.now());
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

const LAST_LIVE_KEY = 'This is the last live key of the account: create or rotate to another one first.';

/**
 * A live key manages the account's test keys too, since somebody must make the first one. A test key lies in test systems: whoever
 * finds it there must not get from it to the account's credits.
 */
function kindsFor({ simulated }: Principal): readonly KeyKind[] {
  return simulated ? ['test'] : ['live', 'test'];
}
