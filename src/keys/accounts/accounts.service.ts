import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { Listing } from '../../platform/http/listing.js';
import type { Page, PageQuery } from '../../platform/http/page.js';
import { KeyStore } from '../access/key.store.js';
import { type Account, type AccountParticulars, AccountStore } from '../access/account.store.js';
import type { KeyChange } from '../access/key-transaction.js';
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
    private readonly accounts: AccountStore,
    private readonly keys: KeyStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** A full account, without keys and credits. */
  create({ tx }: KeyChange, request: AccountRequest): Promise<Account> {
    const { name, plan, region = null, contactEmail = null, note = null } = request;
    const createdAt = this.clock.date();
    return this.accounts.insertFull(tx, { name, plan, region, contactEmail, note, createdAt });
  }

  /** @throws AppError `account_not_found` */
  async get(tx: EntityManager, id: string): Promise<Account> {
    return known(await this.accounts.find(tx, id));
  }

  /** Those that exist, in no order. */
  findAll(ids: readonly string[]): Promise<readonly Account[]> {
    return this.accounts.findAll(ids);
  }

  /** Full accounts with the text in their name or contact, in any case, newest first. @param limit most accounts */
  findByText(text: string, limit: number): Promise<readonly Account[]> {
    return this.accounts.findByText(text, limit);
  }

  /** @throws AppError `account_not_found`, `agent_account` */
  async getFull(tx: EntityManager, id: string): Promise<Account> {
    const account = await this.get(tx, id);
    if (account.kind === 'agent') throw new AppError('agent_account', { message: AGENT_HAS_DAILY_CREDITS });
    return account;
  }

  /** Full accounts, newest first. */
  list(plan: Plan | null, query: PageQuery): Promise<Page<Account>> {
    return ACCOUNTS.page(
      query,
      (request) => this.accounts.listFull(plan, request),
      ({ createdAt, id }) => ({ at: createdAt, id }),
    );
  }

  /**
   * The plan's limits hold from now on; credits stay as they are.
   * @param plan what replies show of an agent's account in its place leaves such an account as it is
   * @returns the account as it was
   * @throws AppError `account_not_found`, `agent_account`, `invalid_input` for what is no plan
   */
  async changePlan(change: KeyChange, id: string, plan: Plan): Promise<Account> {
    const before = known(await this.accounts.lock(change.tx, id));
    if (before.policy === plan) return before;
    if (before.kind === 'agent') throw new AppError('agent_account', { message: "An agent's account has no plan." });
    if (!PLANS.includes(plan)) throw invalidField('plan', `must be one of ${PLANS.join(', ')}`);
    await this.accounts.setPlan(change.tx, id, plan);
    change.touch(await this.keys.findHashes(change.tx, id));
    return before;
  }

  /**
   * @param particulars those that are left out stay as they are
   * @throws AppError `account_not_found`
   */
  async describe({ tx }: KeyChange, id: string, particulars: Partial<AccountParticulars>): Promise<void> {
    known(await this.accounts.lock(tx, id));
    await this.accounts.setParticulars(tx, id, particulars);
  }

  /**
   * Only workers of the region work on its batches from now on, and on those of the agents that it has claimed; null: anybody does.
   * @returns the account as it was
   * @throws AppError `account_not_found`, `invalid_input` for a claimed agent
   */
  async setRegion({ tx }: KeyChange, id: string, region: string | null): Promise<Account> {
    const before = known(await this.accounts.lock(tx, id));
    if (before.claimedBy !== null && region !== before.region)
      throw invalidField('region', 'is that of the account that has claimed the agent');
    await this.accounts.setRegion(tx, id, region);
    return before;
  }

  /**
   * Suspended, an account's keys are answered with 403 `account_suspended`; resumed, they work as before.
   * @returns the account as it was
   * @throws AppError `account_not_found`
   */
  async setSuspended(change: KeyChange, id: string, suspended: boolean): Promise<Account> {
    const before = known(await this.accounts.lock(change.tx, id));
    if (suspended === (before.suspendedAt !== null)) return before;
    await this.accounts.setSuspended(change.tx, id, suspended ? this.clock.date() : null);
    change.touch(await this.keys.findHashes(change.tx, id));
    return before;
  }
}

const AGENT_HAS_DAILY_CREDITS = "An agent's account has daily credits and no balance.";

function known(account: Account | null): Account {
  if (account === null) throw new AppError('account_not_found');
  return account;
}
