import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Any, type FindOptionsWhere, In, IsNull } from 'typeorm';
import type { ErasedAddress } from '../platform/erased-address.js';
import { ReadMemo } from '../lib/read-memo.js';
import { CLOCK, SYSTEM_TIMER, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import { type Owner, ownerOf } from '../keys/access/owner.js';
import { byCreation, Listing, type Page, type PageInput, type PageRequest } from '../platform/http/listing.js';
import { addressHash } from './suppression-hash.js';
import { type IdempotencyClaim, runInTransaction } from '../idempotency/idempotency-claim.js';
import type { Principal } from '../keys/access/principal.js';
import { type AccountAction, recordAccountAction } from '../keys/account-actions.js';
import type { AuditEntry } from '../platform/audit/audit-log.js';
import { definePrepared } from '../platform/database/prepared.js';
import { newestFirst } from '../platform/database/newest-first.js';
import { Suppression, SuppressionSettings } from './suppression.entity.js';

/** Reasons that are looked through together. */
const REASON_PAGE_SIZE = 1_000;

/** Whose list: an owner's, or the one that holds for everybody. */
export interface ListOwner extends Pick<Owner, 'simulated'> {
  /** Null: everybody's. */
  readonly accountId: string | null;
}

export type { Suppression };

type NewSuppression = Pick<Suppression, 'hash' | 'reason' | 'createdAt'>;

const reportInVerify = definePrepared<{ reports: boolean }>(
  'whether accounts report suppressions',
  `SELECT coalesce(report_in_verify, false) AS reports
     FROM unnest($1::uuid[], $2::boolean[]) WITH ORDINALITY AS asked (account_id, simulated, place)
     LEFT JOIN suppression_settings USING (account_id, simulated) ORDER BY place`,
);

@Injectable()
export class SuppressionsStore {
  constructor(private readonly database: DataSource) {}

  /** @returns how many of them are new */
  async insert(
    tx: EntityManager,
    { accountId, simulated }: ListOwner,
    all: readonly NewSuppression[],
  ): Promise<number> {
    const rows: unknown[] = await tx.query(
      `INSERT INTO suppressions (account_id, simulated, address_hash, reason, created_at)
       SELECT $1, $2, hash, reason, created_at FROM unnest($3::bytea[], $4::text[], $5::timestamptz[])
         AS given (hash, reason, created_at)
       ON CONFLICT DO NOTHING RETURNING 1`,
      [
        accountId,
        simulated,
        all.map(({ hash }) => hash),
        all.map(({ reason }) => reason),
        all.map(({ createdAt }) => createdAt),
      ],
    );
    return rows.length;
  }

  find(tx: EntityManager, owner: ListOwner, hashes: readonly Buffer[]): Promise<Suppression[]> {
    return tx.findBy(Suppression, { ...ownedBy(owner), hash: Any(hashes) });
  }

  /** Newest first; one more than the page holds, when there are more. */
  list(owner: ListOwner, request: PageRequest): Promise<Suppression[]> {
    const query = this.database.getRepository(Suppression).createQueryBuilder('suppression');
    return newestFirst(query.where(ownedBy(owner)), request);
  }

  async delete(tx: EntityManager, owner: ListOwner, hash: Buffer): Promise<boolean> {
    const { affected } = await tx.delete(Suppression, { ...ownedBy(owner), hash });
    return affected! > 0;
  }

  /** Takes the reasons away in which an address stands. */
  async forgetReasons(tx: EntityManager, { accountId, simulated }: Owner, address: ErasedAddress): Promise<void> {
    let page: { id: string; reason: string }[];
    let after = null as string | null;
    do {
      page = await tx.query(
        `SELECT id, reason FROM suppressions
          WHERE account_id = $1 AND simulated = $2 AND lower(reason) LIKE ANY ($3::text[]) AND ($4::uuid IS NULL OR id > $4)
          ORDER BY id LIMIT ${REASON_PAGE_SIZE}`,
        [accountId, simulated, address.patterns, after],
      );
      const ids = page.filter(({ reason }) => address.isIn(reason)).map(({ id }) => id);
      if (ids.length > 0) await tx.update(Suppression, { id: In(ids) }, { reason: null });
      after = page.at(-1)?.id ?? after;
    } while (page.length === REASON_PAGE_SIZE);
  }

  /** Those that hold for the account: its own, and everybody's. */
  async among({ accountId, simulated }: ListOwner, hashes: readonly Buffer[]): Promise<Buffer[]> {
    const rows: { hash: Buffer }[] = await this.database.query(
      `SELECT address_hash AS hash FROM suppressions
        WHERE address_hash = ANY ($3) AND (account_id IS NULL OR (account_id = $1 AND simulated = $2))`,
      [accountId, simulated, hashes],
    );
    return rows.map(({ hash }) => hash);
  }

  /** @returns for each owner whether its verifications say that an address is suppressed */
  async reportInVerify(owners: readonly Owner[]): Promise<boolean[]> {
    const rows = await reportInVerify(
      this.database.manager,
      owners.map(({ accountId }) => accountId),
      owners.map(({ simulated }) => simulated),
    );
    return rows.map(({ reports }) => reports);
  }

  async setReportsInVerify(tx: EntityManager, { accountId, simulated }: Owner, reports: boolean): Promise<void> {
    const settings = { accountId, simulated, reportInVerify: reports };
    await tx.upsert(SuppressionSettings, settings, ['accountId', 'simulated']);
  }
}

function ownedBy({ accountId, simulated }: ListOwner): FindOptionsWhere<Suppression> {
  return { accountId: accountId ?? IsNull(), simulated };
}

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
  list(owner: ListOwner, query: PageInput): Promise<Page<Suppression>> {
    const listing = owner.accountId === null ? EVERYBODYS : OWN;
    return listing.page(query, (request) => this.store.list(owner, request), byCreation);
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

  /** As `add`, to the list of the caller's account, with a line of its audit log. */
  addOwn(
    principal: Principal,
    hashes: readonly Buffer[],
    reason: string | null,
    claim: IdempotencyClaim | null,
  ): Promise<Added> {
    return runInTransaction(this.database, claim, async (tx) => {
      const added = await this.add(ownerOf(principal), hashes, reason, tx);
      await this.record(tx, principal, 'suppression.add', { asked: hashes.length, added: added.added });
      return added;
    });
  }

  /** As `remove`, from the list of the caller's account. @throws AppError `suppression_not_found` */
  async removeOwn(principal: Principal, id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const hash = await this.remove(ownerOf(principal), id, tx);
      await this.record(tx, principal, 'suppression.remove', { hash: hash.toString('hex') });
    });
  }

  async setReportsInVerify(principal: Principal, reports: boolean): Promise<void> {
    const owner = ownerOf(principal);
    await this.database.transaction(async (tx) => {
      await this.store.setReportsInVerify(tx, owner, reports);
      await this.record(tx, principal, 'suppression.settings', { report_in_verify: reports });
    });
    this.reporting.forget(nameOf(owner));
  }

  private record(tx: EntityManager, principal: Principal, act: AccountAction, details: AuditEntry['details']) {
    return recordAccountAction(tx, principal, this.clock.date(), act, details);
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
