import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource, type EntityManager } from 'typeorm';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import type { Owner } from '../keys/owner.js';
import { Listing, type Page, type PageQuery } from '../platform/http/page.js';
import { addressHash } from './address-hash.js';
import { type ListOwner, type Suppression, SuppressionsStore } from './suppressions.store.js';

export type { ListOwner, Suppression };

/** The list that holds for everybody; administrators keep it. */
export const EVERYBODY: ListOwner = { accountId: null, simulated: false };

const OWN = new Listing('suppressions', 'sha256');
const EVERYBODYS = new Listing('suppressions-of-all', 'sha256');

const SHA256 = /^[0-9a-f]{64}$/i;
/** A changed setting holds everywhere after it. */
const SETTING_BELIEVED_MS = 1_000;
const MOST_SETTINGS = 10_000;

export interface Added {
  readonly suppressions: readonly Suppression[];
  /** Those that were not there before. */
  readonly added: number;
}

/** Who asked not to be found: hashes of addresses, by account and for everybody. */
@Injectable()
export class SuppressionsService {
  private readonly reporting = new LRUCache<string, boolean>({ max: MOST_SETTINGS, ttl: SETTING_BELIEVED_MS });

  constructor(
    private readonly database: DataSource,
    private readonly store: SuppressionsStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Adds what is not there; what is stays as it was. */
  async add(owner: ListOwner, hashes: readonly Buffer[], reason: string | null, tx: EntityManager): Promise<Added> {
    const createdAt = new Date(this.clock.now());
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
      ({ createdAt, hash }) => ({ at: createdAt, id: hash.toString('hex') }),
    );
  }

  /** @param id the address, or its hash in hexadecimal. @throws AppError `suppression_not_found` */
  async get(owner: ListOwner, id: string): Promise<Suppression> {
    const [found] = await this.store.find(this.database.manager, owner, [hashOf(id)]);
    if (found === undefined) throw new AppError('suppression_not_found');
    return found;
  }

  /** @returns the hash that was taken off. @throws AppError `suppression_not_found` */
  async remove(owner: ListOwner, id: string, tx: EntityManager): Promise<Buffer> {
    const hash = hashOf(id);
    if (!(await this.store.delete(tx, owner, hash))) throw new AppError('suppression_not_found');
    return hash;
  }

  /** Those of the addresses that may not be found for the account. */
  async among(owner: ListOwner, addresses: readonly string[]): Promise<ReadonlySet<string>> {
    const hashes = new Map(addresses.map((address) => [address, addressHash(address)]));
    const known = [...hashes.values()].filter((hash) => hash !== null);
    const found = new Set((await this.store.among(owner, known)).map((hash) => hash.toString('hex')));
    return new Set(addresses.filter((address) => found.has(hashes.get(address)?.toString('hex') ?? '')));
  }

  /** Whether an address is suppressed, for an account that wants to hear it; null for one that does not. */
  async reportOf({ accountId, simulated }: ListOwner, address: string): Promise<boolean | null> {
    if (accountId === null) return null;
    const owner = { accountId, simulated };
    return (await this.reportsInVerify(owner)) ? (await this.among(owner, [address])).has(address) : null;
  }

  async reportsInVerify(owner: Owner): Promise<boolean> {
    const known = this.reporting.get(nameOf(owner));
    if (known !== undefined) return known;
    const reports = await this.store.reportsInVerify(owner);
    this.reporting.set(nameOf(owner), reports);
    return reports;
  }

  /** @param work what else belongs to the same transaction */
  async setReportsInVerify(owner: Owner, reports: boolean, work: (tx: EntityManager) => Promise<void>): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.store.setReportsInVerify(tx, owner, reports);
      await work(tx);
    });
    this.reporting.set(nameOf(owner), reports);
  }
}

function nameOf({ accountId, simulated }: Owner): string {
  return `${accountId} ${simulated ? 'test' : 'live'}`;
}

/** @throws AppError `suppression_not_found` for what is neither an address nor a hash */
function hashOf(id: string): Buffer {
  const hash = SHA256.test(id) ? Buffer.from(id, 'hex') : addressHash(id);
  if (hash === null) throw new AppError('suppression_not_found');
  return hash;
}
