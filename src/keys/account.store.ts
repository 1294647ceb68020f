import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { PageRequest } from '../platform/http/page.js';
import type { Plan } from './plan.js';

export interface Account {
  readonly id: string;
  readonly kind: 'agent' | 'full';
  readonly name: string | null;
  /** A row of `config/key-policies.json`. */
  readonly policy: string;
  readonly createdAt: Date;
  readonly suspendedAt: Date | null;
}

const COLUMNS = 'id, kind, name, policy, created_at AS "createdAt", suspended_at AS "suspendedAt"';

@Injectable()
export class AccountStore {
  constructor(private readonly database: DataSource) {}

  async insertFull(tx: EntityManager, account: { name: string; plan: Plan; createdAt: Date }): Promise<Account> {
    const rows: Account[] = await tx.query(
      `INSERT INTO accounts (kind, policy, name, created_at) VALUES ('full', $1, $2, $3) RETURNING ${COLUMNS}`,
      [account.plan, account.name, account.createdAt],
    );
    return rows[0]!;
  }

  async find(tx: EntityManager, id: string): Promise<Account | null> {
    const rows: Account[] = await tx.query(`SELECT ${COLUMNS} FROM accounts WHERE id = $1`, [id]);
    return rows[0] ?? null;
  }

  /** Until the transaction ends nobody else changes the account or gives or takes its keys. */
  async lock(tx: EntityManager, id: string): Promise<Account | null> {
    const rows: Account[] = await tx.query(`SELECT ${COLUMNS} FROM accounts WHERE id = $1 FOR NO KEY UPDATE`, [id]);
    return rows[0] ?? null;
  }

  /** Full accounts, newest first; one more than the page holds, when there are more. */
  async listFull(plan: Plan | null, { limit, after }: PageRequest): Promise<Account[]> {
    return this.database.query(
      `SELECT ${COLUMNS} FROM accounts
        WHERE kind = 'full' AND ($1::text IS NULL OR policy = $1)
          AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3::uuid))
        ORDER BY created_at DESC, id DESC LIMIT $4`,
      [plan, after?.at, after?.id, limit + 1],
    );
  }

  async setPlan(tx: EntityManager, id: string, plan: Plan): Promise<void> {
    await tx.query('UPDATE accounts SET policy = $2 WHERE id = $1', [id, plan]);
  }

  async setSuspended(tx: EntityManager, id: string, suspendedAt: Date | null): Promise<void> {
    await tx.query('UPDATE accounts SET suspended_at = $2 WHERE id = $1', [id, suspendedAt]);
  }
}
