import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { ErasedAddress } from '../platform/erased-address.js';
import { ReadMemo } from '../lib/read-memo.js';
import { CLOCK, SYSTEM_TIMER, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import { type Owner, ownerOf } from '../keys/access/owner.js';
import { Listing } from '../platform/http/listing.js';
import type { Page, PageQuery } from '../platform/http/page.js';
import { addressHash } from './suppression-hash.js';
import { type ListOwner, type Suppression, SuppressionsStore } from './suppressions.store.js';
import { type IdempotencyClaim, runInTransaction } from '../idempotency/idempotency-claim.js';
import type { Principal } from '../keys/access/principal.js';
import { type OwnAct, recordOwnAct } from '../keys/own-acts.js';
import type { AuditEntry } from '../platform/audit/audit-log.js';

export type { ListOwner, Suppression };

/** The owner of the list that holds for every account; administrators keep it. */
export const EVERYBODY: ListOwner = { accountId: null, simulated: false };

const OWN = new Listing('suppressions', 'uuid');
const EVERYBODYS = new Listing('suppressions-of-all', 'uuid');

const SHA256 = /^[0-9a-f]{64}$/i;
/** The time after which a changed setting holds in every process. */
const SETTING_BELIEVED_MS = 1_000;
const MAX_SETTINGS = 10_000;

export interface Added {
  readonly suppressions: readonly Suppression[];
  /** Entries that were not on the list before. */
  readonly added: number;
}

/** The suppression lists: hashes of the addresses of people who asked not to be found, by account and for every account. */
@Injectable()
export class SuppressionsService {
  private readonly reporting = new ReadMemo<boolean>((names) => this.store.reportInVerify(names.map(ownerNamed)), {
    maxEntries: MAX_SETTINGS,
    believedMs: SETTING_BELIEVED_MS,
    now: () => performance.now(),
    timer: SYSTEM_TIMER,
  });

  constructor(
    private readonly database: DataSource,
    private readonly store: SuppressionsStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Adds missing entries; existing ones stay unchanged. */
  async add(owner: ListOwner, hashes: readonly Buffer[], reason: string | null, tx: EntityManager): Promise<Added> {
    const createdAt = this.clock.date();
    const added = await this.store.insert(
      tx,
      owner,
      hashes.map((hash) => ({ hash, reason, createdAt })),
    );
    return { suppressions: await this.store.find(tx, owner, hashes), added };
  }

  /** Newest first. */
  list(owner: ListOwner, query: PageQuery): Promise<Page<Suppression>> {
    const listing = owner.accountId === null ? EVERYBODYS : OWN;
    return listing.page(
      query,
      (request) => this.store.list(owner, request),
      ({ createdAt, id }) => ({ at: createdAt, id }),
    );
  }

  /** @param id the address, or its hash in hexadecimal. @throws AppError `suppression_not_found` */
  async get(owner: ListOwner, id: string): Promise<Suppression> {
    const [found] = await this.store.find(this.database.manager, owner, [hashOf(id)]);
    if (found === undefined) throw new AppError('suppression_not_found');
    return found;
  }

  /** @returns the removed hash. @throws AppError `suppression_not_found` */
  async remove(owner: ListOwner, id: string, tx: EntityManager): Promise<Buffer> {
    const hash = hashOf(id);
    if (!(await this.store.delete(tx, owner, hash))) throw new AppError('suppression_not_found');
    return hash;
  }

  /**
   * Takes an address off the list, and out of the reasons that are written there. One with a `+tag` takes no entry off: the list has the
   * hash without tags, and somebody asked that the address without it is never given.
   * @param isKept it stays on the list, by its hash
   * @returns how many entries are gone
   */
  async erase(tx: EntityManager, owner: Owner, address: ErasedAddress, isKept: boolean): Promise<number> {
    await this.store.forgetReasons(tx, owner, address);
    const hash = addressHash(address.compared);
    return !isKept && !address.hasTag && hash !== null && (await this.store.delete(tx, owner, hash)) ? 1 : 0;
  }

  /** The addresses among these that may not be found for the account. */
  async among(owner: ListOwner, addresses: readonly string[]): Promise<ReadonlySet<string>> {
    const hashes = new Map(addresses.map((address) => [address, addressHash(address)]));
    const known = [...hashes.values()].filter((hash) => hash !== null);
    const found = new Set((await this.store.among(owner, known)).map((hash) => hash.toString('hex')));
    return new Set(addresses.filter((address) => found.has(hashes.get(address)?.toString('hex') ?? '')));
  }

  /** Whether an address is suppressed, for an account that reports it; null for one that does not. */
  async reportOf({ accountId, simulated }: ListOwner, address: string): Promise<boolean | null> {
    if (accountId === null) return null;
    const owner = { accountId, simulated };
    return (await this.reportsInVerify(owner)) ? (await this.among(owner, [address])).has(address) : null;
  }

  async reportsInVerify(owner: Owner): Promise<boolean> {
    const read = async (): Promise<boolean> => (await this.store.reportInVerify([owner]))[0]!;
    return (await this.reporting.find(nameOf(owner), read))!;
  }

  /** @param work other work of the same transaction */
  async setReportsInVerify(owner: Owner, reports: boolean, work: (tx: EntityManager) => Promise<void>): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.store.setReportsInVerify(tx, owner, reports);
      await work(tx);
    });
    this.reporting.forget(nameOf(owner));
  }
}

function nameOf({ accountId, simulated }: Owner): string {
  return `${accountId} ${simulated ? 'test' : 'live'}`;
}

function ownerNamed(name: string): Owner {
  const [accountId = '', mode] = name.split(' ');
  return { accountId, simulated: mode === 'test' };
}

/** @throws AppError `suppression_not_found` for a text that is neither an address nor a hash */
function hashOf(id: string): Buffer {
  const hash = SHA256.test(id) ? Buffer.from(id, 'hex') : addressHash(id);
  if (hash === null) throw new AppError('suppression_not_found');
  return hash;
}

/** Changes an account's own suppression list, each act and its audit line in one transaction. */
@Injectable()
export class OwnSuppressionsService {
  constructor(
    private readonly database: DataSource,
    private readonly suppressions: SuppressionsService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  add(
    principal: Principal,
    hashes: readonly Buffer[],
    reason: string | null,
    claim: IdempotencyClaim | null,
  ): Promise<Added> {
    const work = async (tx: EntityManager): Promise<Added> => {
      const added = await this.suppressions.add(ownerOf(principal), hashes, reason, tx);
      await this.record(tx, principal, 'suppression.add', { asked: hashes.length, added: added.added });
      return added;
    };
    return runInTransaction(this.database, claim, work);
  }

  /** @throws AppError `suppression_not_found` */
  async remove(principal: Principal, id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const hash = await this.suppressions.remove(ownerOf(principal), id, tx);
      await this.record(tx, principal, 'suppression.remove', { hash: hash.toString('hex') });
    });
  }

  setReportsInVerify(principal: Principal, reports: boolean): Promise<void> {
    return this.suppressions.setReportsInVerify(ownerOf(principal), reports, (tx) =>
      this.record(tx, principal, 'suppression.settings', { report_in_verify: reports }),
    );
  }

  private record(tx: EntityManager, principal: Principal, act: OwnAct, details: AuditEntry['details']): Promise<void> {
    return recordOwnAct(tx, principal, this.clock.date(), act, details);
  }
}
