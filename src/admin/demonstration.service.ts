import { Inject, Injectable } from '@nestjs/common';
import { KeyTransaction } from '../keys/access/key-transaction.js';
import { KeyService } from '../keys/key.service.js';
import { UNLIMITED } from '../keys/scope/key-scope.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { DEFAULT_PLAN } from '../platform/config/policies.js';
import { AccountAdministrationService } from './account-administration.service.js';
import type { Actor } from './actor.js';
import { AuditService } from './audit.service.js';
import { DataSource, type EntityManager } from 'typeorm';

/** The demonstration account in the embedded database, with which a newcomer can try everything. */
export interface Demonstration {
  /** Null when the account was deleted. */
  readonly accountId: string | null;
  /** Shown at the start that made them and kept nowhere: null at every later one. */
  readonly keys: { readonly test: string; readonly admin: string } | null;
}

const FIRST_START: Actor = { keyId: null, name: 'first start', origin: 'npm start', claim: null };

@Injectable()
export class DemonstrationService {
  constructor(
    private readonly accounts: AccountAdministrationService,
    private readonly keys: KeyService,
    private readonly transaction: KeyTransaction,
    private readonly audit: AuditService,
    private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Makes the account and its keys in the first process that asks, and in no other. */
  async prepare(): Promise<Demonstration> {
    const made = await this.transaction.run(async (change) => {
      if (!(await this.claim(change.tx))) return null;
      const account = await this.accounts.createWithin(change, FIRST_START, {
        name: 'Demonstration',
        plan: DEFAULT_PLAN,
      });
      await change.tx.query('UPDATE demonstrations SET account_id = $1', [account.id]);
      const named = { name: 'first start', expiresAt: null, scope: UNLIMITED };
      const test = await this.keys.create(change, null, { ...named, kind: 'test', accountId: account.id });
      const admin = await this.keys.create(change, null, { ...named, kind: 'admin', accountId: null });
      for (const { key } of [test, admin]) {
        const { accountId, id, kind } = key;
        await this.audit.record(change.tx, FIRST_START, {
          action: 'key.create',
          accountId,
          keyId: id,
          details: { kind },
        });
      }
      return { accountId: account.id, keys: { test: test.token, admin: admin.token } };
    }, FIRST_START.claim);
    return made ?? { accountId: await this.findAccountId(), keys: null };
  }

  /** False when there is one, or another process makes it at this moment: then this waits until it has. */
  private async claim(tx: EntityManager): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      'INSERT INTO demonstrations (created_at) VALUES ($1) ON CONFLICT DO NOTHING RETURNING singleton',
      [new Date(this.clock.now())],
    );
    return rows.length > 0;
  }

  /** Null before it is made, and when it was deleted. */
  private async findAccountId(): Promise<string | null> {
    const rows: { accountId: string | null }[] = await this.database.query(
      'SELECT account_id AS "accountId" FROM demonstrations',
    );
    return rows[0]?.accountId ?? null;
  }
}
