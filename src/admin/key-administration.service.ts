import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountsService } from '../keys/accounts.service.js';
import { KeyChangesService } from '../keys/key-changes.service.js';
import { type IssuedKey, type KeyRecord, type KeyRequest, KeysService } from '../keys/keys.service.js';
import type { KeyKind } from '../keys/principal.js';
import type { Page, PageQuery } from '../platform/http/page.js';
import type { Actor } from './actor.js';
import { AuditService } from './audit.service.js';

/** Those that an account can have; an agent's has its one key. */
const ACCOUNT_KINDS: readonly KeyKind[] = ['agent', 'live', 'test'];

/** What administrators do with keys: any account's, and their own kind. Each act and its audit line are one transaction. */
@Injectable()
export class KeyAdministrationService {
  constructor(
    private readonly keys: KeysService,
    private readonly accounts: AccountsService,
    private readonly changes: KeyChangesService,
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

  /** @throws AppError what `KeysService.create` throws */
  create(actor: Actor, request: KeyRequest): Promise<IssuedKey> {
    return this.changes.change(async (change) => {
      const issued = await this.keys.create(change, request);
      const { id, accountId, kind, name, expiresAt } = issued.key;
      const details = { kind, name, expires_at: expiresAt };
      await this.audit.record(change.tx, actor, { act: 'key.create', accountId, keyId: id, details });
      return issued;
    }, actor.claim);
  }

  /** @throws AppError what `KeysService.rotate` throws */
  rotate(actor: Actor, id: string, graceSeconds: number): Promise<IssuedKey> {
    return this.changes.change(async (change) => {
      const issued = await this.keys.rotate(change, id, graceSeconds);
      const details = { grace_seconds: graceSeconds, successor: issued.key.id };
      const { accountId } = issued.key;
      await this.audit.record(change.tx, actor, { act: 'key.rotate', accountId, keyId: id, details });
      return issued;
    }, actor.claim);
  }

  /** The last live key of an account too. @throws AppError `key_not_found` */
  async revoke(actor: Actor, id: string): Promise<void> {
    await this.changes.change(async (change) => {
      const { accountId, kind } = await this.keys.revoke(change, id);
      await this.audit.record(change.tx, actor, { act: 'key.revoke', accountId, keyId: id, details: { kind } });
    }, actor.claim);
  }
}
