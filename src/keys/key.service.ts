import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError, invalidField } from '../platform/errors/app-error.js';
import { byCreation, Listing, type Page, type PageInput } from '../platform/http/listing.js';
import { KeyStore, type KeyMaker, type KeyOrigin, type KeyRecord } from './access/key.store.js';
import {
  type CeilingsInput,
  checkSetsCeilings,
  checkSpends,
  hasLimit,
  isCeiling,
  readCeilings,
} from './scope/ceilings.js';
import type { KeyCeiling } from './scope/key-ceiling.entity.js';
import { KeyCeilingStore } from './access/key-ceiling.store.js';
import { type KeyChange, lockAccount } from './access/key-transaction.js';
import type { KeyKind, KeyScope } from './scope/key-scope.js';
import {
  type KeyUpdate,
  type KeyChanges,
  readChanges,
  checkImpersonates,
  checkIsInPlace,
  checkMayNoMore,
  endWithin,
  isWidened,
} from './scope/key-changes.js';
import { endOf } from './access/caller-keys.js';
import { generateToken, hashToken, isClaimToken, kindOfToken } from './access/token.js';

export type { KeyRecord };

export interface KeyRequest {
  readonly kind: 'live' | 'test' | 'admin';
  /** Null for an admin key. */
  readonly accountId: string | null;
  readonly name: string | null;
  readonly expiresAt: Date | null;
  readonly scope: KeyScope;
  /** None when left out. */
  readonly ceilings?: CeilingsInput;
}

export interface IssuedKey {
  /** The token, which is stored nowhere: only the caller who asked for the key has it. */
  readonly token: string;
  readonly key: KeyRecord;
}

export interface ChangedKey {
  readonly key: KeyRecord;
  /** The values that it was given. */
  readonly changes: KeyChanges & CeilingsInput;
  /** It may more than before. */
  readonly isWidened: boolean;
}

const KEYS = new Listing('keys', 'uuid');
const ADMIN_KEYS = new Listing('admin-keys', 'uuid');

/** The most lasting keys of an account in each mode, more than any rotation needs; a program that runs wild must not fill the table. */
const MAX_LASTING_KEYS = 100;
const NO_CEILING = { ceilingId: null, ceiling: null };

/** Issues, rotates and revokes keys in a transaction of `KeyTransaction`, for accounts and administrators alike. */
@Injectable()
export class KeyService {
  constructor(
    private readonly keys: KeyStore,
    private readonly ceilings: KeyCeilingStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** The keys, newest first, revoked and expired ones too; `accountId` null for the keys of administrators. */
  list(accountId: string | null, kinds: readonly KeyKind[], query: PageInput): Promise<Page<KeyRecord>> {
    return (accountId === null ? ADMIN_KEYS : KEYS).page(
      query,
      (request) => this.keys.list(accountId, kinds, request),
      byCreation,
    );
  }

  /** Whosever it is, and whether it still works or not. */
  find(id: string): Promise<KeyRecord | null> {
    return this.keys.find(id);
  }

  /** The token, of a key or of an agent's claim, goes no further than this: the database is asked by its hash. */
  async findByToken(token: string): Promise<KeyRecord | null> {
    if (isClaimToken(token)) return this.keys.findByClaimHash(hashToken(token));
    return kindOfToken(token) === null ? null : this.keys.findByHash(hashToken(token));
  }

  /** Newest first. @param limit most keys */
  findByLastFour(lastFour: string, limit: number): Promise<KeyRecord[]> {
    return this.keys.findByLastFour(lastFour, limit);
  }

  /**
   * @param giver as `lockGiver` gave it in this transaction: under ceilings it shares them
   * @throws AppError `account_not_found`, `agent_account`, `too_many_keys`, `invalid_input`, `permission_missing`, `address_not_allowed`,
   *   `ceiling_not_allowed`, `key_in_grace`
   */
  async create({ tx }: KeyChange, giver: KeyRecord | null, request: KeyRequest): Promise<IssuedKey> {
    const { kind, accountId, ceilings = {} } = request;
    this.checkExpiry(request.expiresAt);
    checkIsInPlace(giver);
    const expiresAt = endWithin(giver, kind, request.expiresAt);
    const shared = giver?.kind === kind ? { ceiling: giver.ceiling, ceilingId: giver.ceilingId } : NO_CEILING;
    checkMayNoMore(giver, { kind, ...request.scope, ...shared, expiresAt, revokedAt: null });
    checkImpersonates(giver, kind);
    if (accountId !== null) await this.checkAccount(tx, accountId, kind);
    const [bounded, origin] = [
      { ...request, expiresAt },
      { ...makerOf(giver), rotatorId: null },
    ];
    if (!isCeiling(ceilings)) return this.issue(tx, bounded, origin, shared.ceiling);
    checkSetsCeilings(giver);
    return this.issue(tx, bounded, origin, await this.ceilings.insert(tx, ceilings));
  }

  /**
   * Issues a new key in the place of another, which keeps working for `graceSeconds`. Both share the ceilings and what is used of them, and
   * their maker; who revokes the giver's branch revokes the new key too, since the giver has its token.
   * @param giver as `lockGiver`, and `old` as `lock` gave it in this transaction
   * @throws AppError `permission_missing`, `address_not_allowed`, `ceiling_not_allowed`, `key_lasts_longer`, `key_in_grace`,
   *   `agent_account`, `key_already_rotated`, `key_already_expired`
   */
  async rotate(change: KeyChange, giver: KeyRecord | null, old: KeyRecord, graceSeconds: number): Promise<IssuedKey> {
    checkIsInPlace(giver);
    checkMayNoMore(giver, old);
    checkImpersonates(giver, old.kind);
    if (giver !== null) checkSpends(giver, old);
    const { id, kind, accountId, name, expiresAt } = old;
    if (kind === 'agent')
      throw new AppError('agent_account', { message: 'An agent does not rotate its key: it registers again.' });
    if (old.revokedAt !== null) throw new AppError('key_already_rotated');
    if (expiresAt !== null && expiresAt.getTime() <= this.clock.now()) throw new AppError('key_already_expired');
    const revokedAt = new Date(this.clock.now() + graceSeconds * 1000);
    change.touch(await this.keys.revoke(change.tx, [id], revokedAt));
    const request = { kind, accountId, name, expiresAt, scope: old } as const;
    const { makerKind, makerId, ceiling } = old;
    const origin = { makerKind, makerId, rotatorId: giver?.id ?? null };
    const issued = await this.issue(change.tx, request, origin, ceiling);
    await this.keys.succeed(change.tx, id, issued.key.id);
    return issued;
  }

  /**
   * Gives a key another name, scope or ceilings. One that was rotated is not changed, since its successor would stay as it is.
   * @param giver as `lockGiver`, and `key` as `lock` gave it in this transaction
   * @throws AppError `permission_missing`, `address_not_allowed`, `ceiling_not_allowed`, `key_lasts_longer`, `key_in_grace`,
   *   `key_already_rotated`, `invalid_input`
   */
  async update(change: KeyChange, giver: KeyRecord | null, key: KeyRecord, asked: KeyUpdate): Promise<ChangedKey> {
    checkIsInPlace(giver);
    checkMayNoMore(giver, key);
    if (key.revokedAt !== null) throw new AppError('key_already_rotated');
    const changes = readChanges(key.kind, asked);
    const ceilings = readCeilings(key.kind, asked);
    const all = { ...changes, ...ceilings };
    const { name: _, ...limits } = all;
    let changed = { ...key, ...changes };
    if (Object.keys(limits).length > 0) {
      checkMayNoMore(giver, changed);
      if (giver !== null) checkSpends(giver, changed);
      if (Object.keys(ceilings).length > 0) {
        checkSetsCeilings(giver);
        changed = { ...changed, ...(await this.changeCeilings(change, key, ceilings)) };
      }
    }
    const widened = isWidened(key, changed);
    if (widened) checkImpersonates(giver, key.kind);
    if (Object.keys(all).length === 0) return { key, changes: all, isWidened: widened };
    const { ceilingId } = changed;
    const [written, tokenHash] = await this.keys.change(change.tx, key.id, { ...changes, ceilingId });
    change.touch([tokenHash]);
    return { key: written, changes: all, isWidened: widened };
  }

  /** What is set at one key holds for all that share its ceilings; without the last one they are gone, with what was used of them. */
  private async changeCeilings(
    change: KeyChange,
    key: KeyRecord,
    asked: CeilingsInput,
  ): Promise<Pick<KeyRecord, 'ceilingId' | 'ceiling'>> {
    const { tx } = change;
    const before = key.ceilingId;
    if (before === null && !isCeiling(asked)) return NO_CEILING;
    const ceiling = await (before === null
      ? this.ceilings.insert(tx, asked)
      : this.ceilings.setLimits(tx, before, asked));
    if (hasLimit(ceiling)) {
      if (before === null) change.touch(await this.keys.shareCeiling(tx, key, ceiling.id));
      return { ceilingId: ceiling.id, ceiling };
    }
    change.touch(await this.keys.leaveCeiling(tx, key));
    return NO_CEILING;
  }

  /**
   * Revokes a key for ever; one that was revoked before stays as it is. In its grace a key cuts that short itself, and revokes no other.
   * @param giver as `lockGiver`, and `key` as `lock` gave it in this transaction
   * @param withDescendants those before and after it by rotation too, and all that any of these has made or put in the place of another:
   *   all of them, or none
   * @returns those that this has revoked
   * @throws AppError `permission_missing`, `address_not_allowed`, `ceiling_not_allowed`, `key_lasts_longer`, `key_in_grace`
   */
  async revoke(
    change: KeyChange,
    giver: KeyRecord | null,
    key: KeyRecord,
    withDescendants: boolean,
  ): Promise<readonly KeyRecord[]> {
    if (withDescendants || giver?.id !== key.id) checkIsInPlace(giver);
    checkMayNoMore(giver, key);
    const now = this.clock.date();
    const revoked = withDescendants ? await this.keys.lockBranch(change.tx, key.id, now) : [key];
    for (const one of revoked) checkMayNoMore(giver, one);
    const ids = revoked.map(({ id }) => id);
    change.touch(await this.keys.revoke(change.tx, ids, now));
    return revoked;
  }

  /**
   * The key that makes or changes others, as it is now: what the request was let in with may be half a second old. Until the end of the
   * transaction nobody else changes it.
   * @param id null on the command line, which may everything
   * @throws AppError `key_unknown`, `key_revoked`, `key_expired`
   */
  async lockGiver({ tx }: KeyChange, id: string | null): Promise<KeyRecord | null> {
    const accountId = id === null ? null : ((await this.keys.find(id, tx))?.accountId ?? null);
    await this.lockOwner(tx, accountId);
    if (id === null) return null;
    const giver = await this.keys.find(id, tx);
    const code = giver === null ? 'key_unknown' : endOf(giver, this.clock.now());
    if (code !== null) throw new AppError(code);
    return giver;
  }

  /**
   * Locks a key until the end of the transaction, after the giver: its owner first, since keys that share ceilings change together.
   * @throws AppError `key_not_found`
   */
  async lock({ tx }: KeyChange, id: string): Promise<KeyRecord> {
    const found = await this.keys.find(id, tx);
    if (found === null) throw new AppError('key_not_found');
    await this.lockOwner(tx, found.accountId);
    const key = await this.keys.lock(tx, id);
    if (key === null) throw new AppError('key_not_found');
    return key;
  }

  /** Whose keys change takes turns with all others who change them: an account, or the administrators. */
  private async lockOwner(tx: KeyChange['tx'], accountId: string | null): Promise<void> {
    await (accountId === null ? this.keys.lockAdminKeys(tx) : lockAccount(tx, accountId));
  }

  private issue(
    tx: KeyChange['tx'],
    request: KeyRequest,
    origin: KeyOrigin,
    ceiling: KeyCeiling | null,
  ): Promise<IssuedKey> {
    const { kind, accountId, name, expiresAt, scope } = request;
    const token = generateToken(kind);
    const createdAt = this.clock.date();
    const { permissions, networks } = scope;
    const secret = { tokenHash: hashToken(token), lastFour: token.slice(-4) };
    const row = { accountId, kind, name, expiresAt, createdAt, permissions, networks, ceiling, ...origin, ...secret };
    return this.keys.insert(tx, row).then((key) => ({ token, key }));
  }

  /** Counted by mode, so that a leaked test key cannot keep the account from making live keys. */
  private async checkAccount(tx: KeyChange['tx'], accountId: string, kind: KeyKind): Promise<void> {
    const account = await lockAccount(tx, accountId);
    if (account === null) throw new AppError('account_not_found');
    if (account.kind === 'agent')
      throw new AppError('agent_account', { message: "An agent's account has the one key that it registered." });
    const lasting = await this.keys.countLasting(tx, accountId, [kind], this.clock.date());
    if (lasting >= MAX_LASTING_KEYS)
      throw new AppError('too_many_keys', {
        message: `An account has ${MAX_LASTING_KEYS} working ${kind} keys at most.`,
      });
  }

  private checkExpiry(expiresAt: Date | null): void {
    if (expiresAt === null || expiresAt.getTime() > this.clock.now()) return;
    throw invalidField('expires_at', 'must be a time that lies ahead');
  }
}

/** @param giver null: an administrator at the command line */
export function makerOf(giver: KeyRecord | null): KeyMaker {
  return { makerKind: giver === null || giver.kind === 'admin' ? 'administrator' : 'key', makerId: giver?.id ?? null };
}

/** What the audit log says of a revocation. @param branchId the key with whose branch it was revoked; null: alone */
export function revocationOf({ kind }: KeyRecord, branchId: string | null) {
  return { kind, ...(branchId !== null && { branch_of: branchId }) };
}
