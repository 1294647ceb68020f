import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { newestFirst } from '../../platform/database/newest-first.js';
import type { PageRequest } from '../../platform/http/page.js';
import { Account, type AccountParticulars } from './account.entity.js';
import type { Plan } from '../../platform/config/policies.js';

export type { Account, AccountParticulars };

export interface NewAccount extends AccountParticulars {
  readonly name: string;
  readonly plan: Plan;
  readonly region: string | null;
  readonly createdAt: Date;
}

/** Reads and writes accounts; `RegistrationStore` inserts those of agents. */
@Injectable()
export class AccountStore {
  constructor(private readonly database: DataSource) {}

  async insertFull(tx: EntityManager, { plan: policy, ...given }: NewAccount): Promise<Account> {
    const none = { suspendedAt: null, claimedBy: null, claimedAt: null };
    const account = { kind: 'full', policy, ...given, ...none } as const;
    const { identifiers } = await tx.insert(Account, account);
    return { id: identifiers[0]!['id'] as string, ...account };
  }

  find(tx: EntityManager, id: string): Promise<Account | null> {
    return tx.findOneBy(Account, { id });
  }

  findAll(ids: readonly string[]): Promise<Account[]> {
    return this.database.manager.findBy(Account, { id: In(ids) });
  }

  /** Full accounts with the text in their name or contact, in any case, newest first. @param limit most accounts */
  findByText(text: string, limit: number): Promise<Account[]> {
    return this.database
      .getRepository(Account)
      .createQueryBuilder('account')
      .where({ kind: 'full' })
      .andWhere(`strpos(lower(concat_ws(E'\\n', account.name, account.contactEmail)), lower(:text)) > 0`, { text })
      .orderBy({ 'account.createdAt': 'DESC', 'account.id': 'DESC' })
      .limit(limit)
      .getMany();
  }

  /** Locks the account: until the transaction ends no other one changes it or issues or revokes its keys. */
  lock(tx: EntityManager, id: string): Promise<Account | null> {
    return tx.findOne(Account, { where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  /** Full accounts, newest first; one more than the page holds, when there are more. */
  listFull(plan: Plan | null, request: PageRequest): Promise<Account[]> {
    const query = this.database.getRepository(Account).createQueryBuilder('account').where({ kind: 'full' });
    if (plan !== null) query.andWhere({ policy: plan });
    return newestFirst(query, request);
  }

  async setParticulars(tx: EntityManager, id: string, particulars: Partial<AccountParticulars>): Promise<void> {
    await tx.update(Account, { id }, particulars);
  }

  async setPlan(tx: EntityManager, id: string, plan: Plan): Promise<void> {
    await tx.update(Account, { id }, { policy: plan });
  }

  /** Of the account and of the agents that it has claimed. */
  async setRegion(tx: EntityManager, id: string, region: string | null): Promise<void> {
    await tx.update(Account, { id }, { region });
    await tx.update(Account, { claimedBy: id }, { region });
  }

  async setSuspended(tx: EntityManager, id: string, suspendedAt: Date | null): Promise<void> {
    await tx.update(Account, { id }, { suspendedAt });
  }
}
