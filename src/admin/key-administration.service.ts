import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountsService } from '../keys/accounts/accounts.service.js';
import { type KeyChange, KeyTransaction } from '../keys/access/key-transaction.js';
import { type IssuedKey, type KeyRecord, type KeyRequest, KeyService, revocationOf } from '../keys/key.service.js';
import type { KeyKind } from '../keys/scope/key-scope.js';
import { isImpersonation, type KeyUpdate } from '../keys/scope/key-changes.js';
import type { Page, PageQuery } from '../platform/http/page.js';
import type { Actor } from './actor.js';
import { type Act, AuditService } from './audit.service.js';

/** The kinds of keys that an account can have; an agent's account has its one key. */
const ACCOUNT_KINDS: readonly KeyKind[] = ['agent', 'live', 'test'];

/** The acts of administrators on keys: any account's, and admin keys. Each act and its audit line are one transaction. */
@Injectable()
export class KeyAdministrationService {
  constructor(
    private readonly keys: KeyService,
    private readonly accounts: AccountsService,
    private readonly transaction: KeyTransaction,
    private readonly audit: AuditService,
    private readonly database: DataSource,
  ) {}

  /** @throws AppError `account_not_found` */
  async listOf(accountId: string, query: PageQuery): Promise<Page<KeyRecord>> {
    await this.accounts.get(this.database.manager, accountId);
    return this.keys.list(accountId, ACCOUNT_KINDS, query);
  }

  listAdminKeys(query: PageQuery): Promise<Page<KeyRecord>> {
    return this.keys.list(null, ['admin'], query);
  }

  /** @throws AppError what `KeyService.create` throws */
  create(actor: Actor, request: KeyRequest): Promise<IssuedKey> {
    return this.transaction.run(async (change) => {
      const giver = await this.keys.lockGiver(change, actor.keyId);
      const issued = await this.keys.create(change, giver, request);
      const { id, kind, name, expiresAt, permissions, networks } = issued.key;
      const details = { kind, name, expires_at: expiresAt, permissions, networks, ...request.ceilings };
      const act = { action: 'key.create', keyId: id, details };
      await this.record(change, actor, { act, key: issued.key, isTold: isImpersonation(giver, kind) });
      return issued;
    }, actor.claim);
  }

  /** @throws AppError `key_not_found` and what `KeyService.rotate` throws */
  rotate(actor: Actor, id: string, graceSeconds: number): Promise<IssuedKey> {
    return this.transaction.run(async (change) => {
      const giver = await this.keys.lockGiver(change, actor.keyId);
      const old = await this.keys.lock(change, id);
      const issued = await this.keys.rotate(change, giver, old, graceSeconds);
      const details = { grace_seconds: graceSeconds, successor: issued.key.id };
      const act = { action: 'key.rotate', keyId: id, details };
      await this.record(change, actor, { act, key: old, isTold: isImpersonation(giver, old.kind) });
      return issued;
    }, actor.claim);
  }

  /**
   * Any key, an agent's too.
   * @throws AppError `key_not_found` and what `KeyService.update` throws
   */
  change(actor: Actor, id: string, asked: KeyUpdate): Promise<KeyRecord> {
    return this.transaction.run(async (change) => {
      const giver = await this.keys.lockGiver(change, actor.keyId);
      const old = await this.keys.lock(change, id);
      const { key, changes, isWidened } = await this.keys.update(change, giver, old, asked);
      const act = { action: 'key.change', keyId: id, details: { ...changes } };
      if (Object.keys(changes).length > 0)
        await this.record(change, actor, { act, key, isTold: isWidened && isImpersonation(giver, key.kind) });
      return key;
    }, actor.claim);
  }

  /** The last live key of an account too. @throws AppError `key_not_found` and what `KeyService.revoke` throws */
  async revoke(actor: Actor, id: string, withDescendants: boolean): Promise<void> {
    await this.transaction.run(async (change) => {
      const giver = await this.keys.lockGiver(change, actor.keyId);
      const key = await this.keys.lock(change, id);
      for (const one of await this.keys.revoke(change, giver, key, withDescendants)) {
        const details = revocationOf(one, withDescendants ? id : null);
        const { accountId, id: keyId } = one;
        await this.audit.record(change.tx, actor, { action: 'key.revoke', accountId, keyId, details });
      }
    }, actor.claim);
  }

  /** An agent's act is told to the account that has claimed it: an agent reads no log. */
  private async record(
    { tx }: KeyChange,
    actor: Actor,
    { act, key: { accountId }, isTold }: { readonly act: Act; readonly key: KeyRecord; readonly isTold: boolean },
  ): Promise<void> {
    if (isTold && accountId !== null) {
      const { claimedBy } = await this.accounts.get(tx, accountId);
      await this.audit.tellAccount(tx, claimedBy ?? accountId, act);
    }
    await this.audit.record(tx, actor, { ...act, accountId });
  }
}
