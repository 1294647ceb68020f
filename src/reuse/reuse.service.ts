import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource, type EntityManager } from 'typeorm';
import { DAY_MS } from '../lib/durations.js';
import type { Verification } from '../engine/types.js';
import type { Owner } from '../keys/access/owner.js';
import type { ErasedAddress, Holders } from '../platform/erased-address.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { Secrets } from '../platform/config/secrets.js';
import { AddressKey, newAddressKey, type AddressHash } from './address-key.js';
import { VerdictBlock, VerdictBlockBuilder } from './verdict-block.js';
import { isCacheable, type CachedVerdict } from './cached-verdict.js';
import { LOOSE, type NewRow, type OwnersKey, ReuseStore } from './reuse.store.js';
import { LookupSet } from './lookup-set.js';

export const MAX_REUSE_DAYS = 90;
/** So many verdicts that come together are put into buckets at once: then a row holds enough for what it costs itself. */
const MIN_FOR_BUCKETS = 4_096;
const BUCKETS = 256;
/** Buckets read by one statement. */
const BUCKET_PAGE_SIZE = 8;
/** Owners in memory, and the time after which a choice holds in every process. */
const MAX_OWNERS = 10_000;
const CHOICE_BELIEVED_MS = 1_000;
/** Verdicts of one row are of one week, so that a row is deleted soon after its newest may no longer be given again. */
const WEEK_MS = 7 * DAY_MS;

/** A verdict to keep. */
export interface AddressToCache {
  readonly address: string;
  readonly verification: Verification;
}

/** Addresses of a chunk that ask for a kept verdict. */
interface AskingChunk {
  readonly number: number;
  readonly items: readonly string[];
}

export interface Reusable {
  readonly count: number;
  /** By number of the chunk: its kept verdicts by offset (`VerdictBlock`). */
  readonly byChunk: ReadonlyMap<number, Buffer>;
}

/**
 * Verdicts that an account may be given again, under hashes of their addresses.
 *
 * Nothing is kept for an owner who has never asked for reuse: the first request that does makes the key of the owner's hashes, and from
 * then on verdicts are kept. Switching reuse off deletes the key and what was kept with it.
 * A row of the table holds many verdicts: what comes singly is collected in loose rows, which the sweep puts into 256 buckets by the first
 * byte of the hash. Rows are only ever added and deleted, so that writers wait for nobody.
 */
@Injectable()
export class ReuseService {
  private readonly keys = new LRUCache<string, { readonly key: AddressKey | null }>({
    max: MAX_OWNERS,
    ttl: CHOICE_BELIEVED_MS,
  });

  constructor(
    private readonly database: DataSource,
    private readonly store: ReuseStore,
    private readonly secrets: Secrets,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Whether reuse is not switched off. */
  async isOn(owner: Owner): Promise<boolean> {
    const [found] = await this.store.keysOf([owner]);
    return found === undefined || found.addressKey !== null;
  }

  /** @param work other work of the same transaction */
  async choose(owner: Owner, isOn: boolean, work: (tx: EntityManager) => Promise<void>): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.store.choose(tx, owner, isOn ? this.sealedKey(owner) : null);
      await work(tx);
    });
    this.keys.delete(nameOf(owner));
  }

  /** Lets the owner use reuse, for the first time perhaps. False when it is switched off. */
  async begin(owner: Owner): Promise<boolean> {
    if ((await this.keyOf(owner)) !== undefined) return (await this.keyOf(owner)) !== null;
    await this.store.begin(owner, this.sealedKey(owner));
    this.keys.delete(nameOf(owner));
    return (await this.keyOf(owner)) !== null;
  }

  /** The newest verdict of an address that is at most `days` old; null when there is none. */
  async find(owner: Owner, address: string, days: number): Promise<CachedVerdict | null> {
    if (!(await this.begin(owner))) return null;
    const key = (await this.keyOf(owner))!;
    const { high, low } = key.hash(address);
    let newest: { readonly block: VerdictBlock; readonly i: number; readonly at: number } | null = null;
    for (const verdicts of await this.store.find(this.database.manager, owner, [LOOSE, high >>> 24])) {
      const block = new VerdictBlock(verdicts);
      for (let i = 0; i < block.count; i++) {
        if (block.low(i) !== low || block.high(i) !== high) continue;
        const at = block.checkedAt(i);
        if (at >= this.since(days) && at > (newest?.at ?? 0)) newest = { block, i, at };
      }
    }
    return newest && newest.block.verdict(newest.i);
  }

  /**
   * The verdicts that the addresses of a batch are given again. Each kept row is read once, however many addresses there are.
   * @param isAsked whether an item may be given one
   */
  async findAll(
    tx: EntityManager,
    owner: Owner,
    chunks: AsyncIterable<AskingChunk> | Iterable<AskingChunk>,
    { days, isAsked }: { readonly days: number; readonly isAsked: (item: string) => boolean },
  ): Promise<Reusable> {
    const key = await this.keyOf(owner);
    const wanted = new LookupSet();
    if (key)
      for await (const { number, items } of chunks)
        for (const [i, item] of items.entries()) if (isAsked(item)) wanted.add(key.hash(item), number, i);
    const buckets = wanted.size === 0 ? [] : [LOOSE, ...wanted.buckets()];
    for (let i = 0; i < buckets.length; i += BUCKET_PAGE_SIZE)
      for (const verdicts of await this.store.find(tx, owner, buckets.slice(i, i + BUCKET_PAGE_SIZE)))
        wanted.show(new VerdictBlock(verdicts), this.since(days));
    return wanted.found();
  }

  /** Keeps verdicts for an owner who uses reuse. Those that say nothing are left out. */
  async keep(tx: EntityManager, owner: Owner, verdicts: Iterable<AddressToCache>): Promise<void> {
    const key = await this.keyOf(owner);
    if (!key) return;
    const all = new VerdictBlockBuilder();
    for (const { address, verification } of verdicts) {
      if (!isCacheable(verification)) continue;
      const { high, low } = key.hash(address);
      all.add(high, low, verification);
    }
    if (all.count === 0) return;
    const rows = all.count < MIN_FOR_BUCKETS ? [rowOf(owner, LOOSE, all)] : intoBuckets(owner, [all.toBuffer()]);
    await this.store.insert(tx, rows);
  }

  /** Keeps verdicts of several owners by one statement; those of owners who do not use reuse are left out. */
  async keepOfMany(verdicts: readonly (AddressToCache & { readonly owner: Owner })[]): Promise<void> {
    const owners = new Map(verdicts.map(({ owner }) => [nameOf(owner), owner]));
    const builders = new Map<string, VerdictBlockBuilder>();
    const keys = new Map<string, AddressKey | null>();
    for (const one of await this.store.keysOf([...owners.values()])) keys.set(nameOf(one), this.open(one));
    for (const { owner, address, verification } of verdicts) {
      const name = nameOf(owner);
      const key = keys.get(name);
      if (!key || !isCacheable(verification)) continue;
      const builder = builders.get(name) ?? new VerdictBlockBuilder();
      builders.set(name, builder);
      const { high, low } = key.hash(address);
      builder.add(high, low, verification);
    }
    if (builders.size === 0) return;
    const rows = [...builders].map(([name, builder]) => rowOf(owners.get(name)!, LOOSE, builder));
    await this.store.insert(this.database.manager, rows);
  }

  /** Puts an owner's loose rows into buckets. */
  async gather(owner: Owner, maxRows: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      // The owner's row comes before kept rows, as an erasure locks them.
      await this.store.share(tx, owner);
      const loose = await this.store.takeLoose(tx, owner, maxRows);
      if (loose.length > 0) await this.store.insert(tx, intoBuckets(owner, loose));
    });
  }

  /** Forgets what is kept of addresses of an owner. */
  async forget(tx: EntityManager, owner: Owner, addresses: readonly string[]): Promise<void> {
    const [locked] = await this.store.lock(tx, [owner.accountId], owner.simulated);
    const key = locked && this.open(locked);
    if (!key) return;
    await this.drop(
      tx,
      owner,
      addresses.map((address) => key.hash(address)),
    );
  }

  /** @returns how many verdicts of the address are erased */
  async erase(tx: EntityManager, { accountIds, simulated }: Holders, { compared }: ErasedAddress): Promise<number> {
    let erased = 0;
    // The owner's row first: whoever keeps or gathers verdicts has it before kept rows, so that none slips by.
    for (const owner of await this.store.lock(tx, accountIds, simulated)) {
      const hash = this.open(owner)?.hash(compared);
      if (hash !== undefined) erased += await this.drop(tx, owner, [hash]);
    }
    return erased;
  }

  /** @returns how many kept verdicts had one of these hashes */
  private async drop(tx: EntityManager, owner: Owner, hashes: readonly AddressHash[]): Promise<number> {
    const names = new Set(hashes.map(({ high, low }) => `${high} ${low}`));
    const buckets = [...new Set([LOOSE, ...hashes.map(({ high }) => high >>> 24)])];
    let dropped = 0;
    for (let i = 0; i < buckets.length; i += BUCKET_PAGE_SIZE)
      for (const row of await this.store.lockRows(tx, owner, buckets.slice(i, i + BUCKET_PAGE_SIZE))) {
        const block = new VerdictBlock(row.verdicts);
        const rest = block.filter((high, low) => !names.has(`${high} ${low}`));
        if (rest.count === block.count) continue;
        dropped += block.count - rest.count;
        await this.store.replace(tx, owner, row, rest.count === 0 ? null : rest.toBuffer());
      }
    return dropped;
  }

  /** Undefined for an owner who has never used reuse, null when it is switched off. */
  private async keyOf(owner: Owner): Promise<AddressKey | null | undefined> {
    const known = this.keys.get(nameOf(owner));
    if (known !== undefined) return known.key;
    const [found] = await this.store.keysOf([owner]);
    if (found === undefined) return undefined;
    const key = this.open(found);
    this.keys.set(nameOf(owner), { key });
    return key;
  }

  private open(owner: OwnersKey): AddressKey | null {
    const { addressKey } = owner;
    return addressKey && new AddressKey(this.secrets.open(addressKey, contextOf(owner)));
  }

  private sealedKey(owner: Owner): Buffer {
    return this.secrets.seal(newAddressKey(), contextOf(owner));
  }

  private since(days: number): number {
    return this.clock.now() - days * DAY_MS;
  }
}

function nameOf({ accountId, simulated }: Owner): string {
  return `${accountId} ${simulated ? 'test' : 'live'}`;
}

function contextOf(owner: Owner): string {
  return `address key ${nameOf(owner)}`;
}

function rowOf(owner: Owner, bucket: number, block: VerdictBlockBuilder): NewRow {
  return { owner, bucket, oldestAt: new Date(block.oldestAt), verdicts: block.toBuffer() };
}

function intoBuckets(owner: Owner, blocks: readonly Buffer[]): NewRow[] {
  const builders = new Map<number, VerdictBlockBuilder>();
  for (const block of blocks.map((bytes) => new VerdictBlock(bytes)))
    for (let i = 0; i < block.count; i++) {
      const place = Math.floor(block.checkedAt(i) / WEEK_MS) * BUCKETS + (block.high(i) >>> 24);
      const builder = builders.get(place) ?? new VerdictBlockBuilder();
      builders.set(place, builder);
      block.copy(i, builder, block.high(i), block.low(i));
    }
  return [...builders].map(([place, builder]) => rowOf(owner, place % BUCKETS, builder));
}
