import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { byCreation, Listing, type Page, type PageInput } from '../../platform/http/listing.js';
import { KeyStore } from '../access/key.store.js';
import { newestFirst } from '../../platform/database/newest-first.js';
import { Account, type AccountParticulars } from '../access/account.entity.js';
import { type KeyChange, lockAccount } from '../access/key-transaction.js';
import { type Plan, PLANS } from '../../platform/config/policies.js';

export type { Account, AccountParticulars };

export interface AccountRequest extends Partial<AccountParticulars> {
  readonly name: string;
  readonly plan: Plan;
  readonly region?: string | null;
}

const ACCOUNTS = new Listing('accounts', 'uuid');

/** The accounts and what holds for all their keys. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly database: DataSource,
    private readonly keys: KeyStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** A full account, without keys and credits. */
  async create({ tx }: KeyChange, request: AccountRequest): Promise<Account> {
    const { name, plan: policy, region = null, contactEmail = null, note = null } = request;
    const none = { suspendedAt: null, claimedBy: null, claimedAt: null };
    const createdAt = this.clock.date();
    const account = { kind: 'full', policy, name, region, contactEmail, note, createdAt, ...none } as const;
    const { identifiers } = await tx.insert(Account, account);
    return { id: identifiers[0]!['id'] as string, ...account };
  }

  /** @throws AppError `account_not_found` */
  async get(tx: EntityManager, id: string): Promise<Account> {
    return known(await tx.findOneBy(Account, { id }));
  }

  /** Those that exist, in no order. */
  findAll(ids: readonly string[]): Promise<readonly Account[]> {
    return this.database.manager.findBy(Account, { id: In(ids) });
  }

  /** Full accounts with the text in their name or contact, in any case, newest first. @param limit most accounts */
  findByText(text: string, limit: number): Promise<readonly Account[]> {
    return this.fullAccounts()
      .andWhere(`strpos(lower(concat_ws(E'\\n', account.name, account.contactEmail)), lower(:text)) > 0`, { text })
      .orderBy({ 'account.createdAt': 'DESC', 'account.id': 'DESC' })
      .limit(limit)
      .getMany();
  }

  /** @throws AppError `account_not_found`, `agent_account` */
  async getFull(tx: EntityManager, id: string): Promise<Account> {
    const account = await this.get(tx, id);
    if (account.kind === 'agent') throw new AppError('agent_account', { message: AGENT_HAS_DAILY_CREDITS });
    return account;
  }

  /** Full accounts, newest first. */
  list(plan: Plan | null, query: PageInput): Promise<Page<Account>> {
    const accounts = this.fullAccounts();
    if (plan !== null) accounts.andWhere({ policy: plan });
    return ACCOUNTS.page(query, (request) => newestFirst(accounts, request), byCreation);
  }

  /**
   * The plan's limits hold from now on; credits stay as they are.
   * @param plan what replies show of an agent's account in its place leaves such an account as it is
   * @returns the account as it was
   * @throws AppError `account_not_found`, `agent_account`, `invalid_input` for what is no plan
   */
  async changePlan(change: KeyChange, id: string, plan: Plan): Promise<Account> {
    const before = known(await lockAccount(change.tx, id));
    if (before.policy === plan) return before;
    if (before.kind === 'agent') throw new AppError('agent_account', { message: "An agent's account has no plan." });
    if (!PLANS.includes(plan)) throw invalidField('plan', `must be one of ${PLANS.join(', ')}`);
    await change.tx.update(Account, { id }, { policy: plan });
    change.touch(await this.keys.findHashes(change.tx, id));
    return before;
  }

  /**
   * @param particulars those that are left out stay as they are
   * @throws AppError `account_not_found`
   */
  async describe({ tx }: KeyChange, id: string, particulars: Partial<AccountParticulars>): Promise<void> {
    known(await lockAccount(tx, id));
    await tx.update(Account, { id }, particulars);
  }

  /**
   * Only workers of the region work on its batches from now on, and on those of the agents that it has claimed; null: anybody does.
   * @returns the account as it was
   * @throws AppError `account_not_found`, `invalid_input` for a claimed agent
   */
  async setRegion({ tx }: KeyChange, id: string, region: string | null): Promise<Account> {
    const before = known(await lockAccount(tx, id));
    if (before.claimedBy !== null && region !== before.region)
      throw invalidField('region', 'is that of the account that has claimed the agent');
    await tx.update(Account, { id }, { region });
    await tx.update(Account, { claimedBy: id }, { region });
    return before;
  }

  /**
   * Suspended, an account's keys are answered with 403 `account_suspended`; resumed, they work as before.
   * @returns the account as it was
   * @throws AppError `account_not_found`
   */
  async setSuspended(change: KeyChange, id: string, suspended: boolean): Promise<Account> {
    const before = known(await lockAccount(change.tx, id));
    if (suspended === (before.suspendedAt !== null)) return before;
    await change.tx.update(Account, { id }, { suspendedAt: suspended ? this.clock.date() : null });
    change.touch(await this.keys.findHashes(change.tx, id));
    return before;
  }

  private fullAccounts() {
    return this.database.getRepository(Account).createQueryBuilder('account').where({ kind: 'full' });
  }
}

const AGENT_HAS_DAILY_CREDITS = "An agent's account has daily credits and no balance.";

function known(account: Account | null): Account {
  if (account === null) throw new AppError('account_not_found');
  return account;
}
