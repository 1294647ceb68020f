import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import { Listing, type Page, type PageQuery } from '../platform/http/page.js';
import { AccountKeyStore, type KeyRecord } from './account-key.store.js';
import { AccountStore } from './account.store.js';
import type { KeyChange } from './key-changes.service.js';
import type { KeyKind } from './principal.js';
import { generateToken, hashToken } from './token.js';

export type { KeyRecord };

export interface KeyRequest {
  readonly kind: 'live' | 'test' | 'admin';
  /** Null for an admin key. */
  readonly accountId: string | null;
  readonly name: string | null;
  readonly expiresAt: Date | null;
}

export interface IssuedKey {
  /** Kept nowhere: whoever asked is the only one who has it. */
  readonly token: string;
  readonly key: KeyRecord;
}

const KEYS = new Listing('keys', 'uuid');
const ADMIN_KEYS = new Listing('admin-keys', 'uuid');

export const GRACE_SECONDS = { default: 86_400, most: 604_800 } as const;

/** More than anybody rotates among; a program that runs wild must not fill the table. */
const MOST_LASTING_KEYS = 100;
const ACCOUNT_KINDS: readonly KeyKind[] = ['live', 'test'];

/** Giving, rotating and revoking keys, whoever asks for it. */
@Injectable()
export class KeysService {
  constructor(
    private readonly keys: AccountKeyStore,
    private readonly accounts: AccountStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Newest first, whatever their standing; `accountId` null for the keys of administrators. */
  list(accountId: string | null, kinds: readonly KeyKind[], query: PageQuery): Promise<Page<KeyRecord>> {
    return (accountId === null ? ADMIN_KEYS : KEYS).page(
      query,
      (request) => this.keys.list(accountId, kinds, request),
      ({ createdAt, id }) => ({ at: createdAt, id }),
    );
  }

  /** @throws AppError `account_not_found`, `state_conflict` with too many keys or for an agent's account, `invalid_input` */
  async create({ tx }: KeyChange, request: KeyRequest): Promise<IssuedKey> {
    this.checkExpiry(request.expiresAt);
    if (request.accountId !== null) await this.checkAccount(tx, request.accountId);
    return this.issue(tx, request);
  }

  /**
   * A new key in the place of another, which keeps working for `graceSeconds`.
   * @throws AppError `key_not_found`; `state_conflict` when it was rotated, revoked or has expired already, or is an agent's
   */
  async rotate(change: KeyChange, id: string, graceSeconds: number): Promise<IssuedKey & { predecessor: KeyRecord }> {
    const old = await this.lock(change, id);
    const { kind, accountId, name, expiresAt } = old;
    if (kind === 'agent') throw conflict('An agent does not rotate its key: it registers again.');
    if (old.revokedAt !== null) throw conflict('The key has been rotated or revoked already.');
    if (expiresAt !== null && expiresAt.getTime() <= this.clock.now()) throw conflict('The key has expired.');
    const revokedAt = new Date(this.clock.now() + graceSeconds * 1000);
    change.touch([await this.keys.revoke(change.tx, id, revokedAt)]);
    const issued = await this.issue(change.tx, { kind, accountId, name, expiresAt });
    return { ...issued, predecessor: { ...old, revokedAt } };
  }

  /**
   * For ever, and nothing more when it was before.
   * @returns the key as it was
   * @throws AppError `key_not_found`
   */
  async revoke(change: KeyChange, id: string): Promise<KeyRecord> {
    const old = await this.lock(change, id);
    change.touch([await this.keys.revoke(change.tx, id, new Date(this.clock.now()))]);
    return old;
  }

  /** @throws AppError `key_not_found` */
  async lock({ tx }: KeyChange, id: string): Promise<KeyRecord> {
    const key = await this.keys.lock(tx, id);
    if (key === null) throw new AppError('key_not_found');
    return key;
  }

  private issue(tx: KeyChange['tx'], { kind, accountId, name, expiresAt }: KeyRequest): Promise<IssuedKey> {
    const token = generateToken(kind);
    const createdAt = new Date(this.clock.now());
    const row = { accountId, kind, name, expiresAt, createdAt, tokenHash: hashToken(token), lastFour: token.slice(-4) };
    return this.keys.insert(tx, row).then((key) => ({ token, key }));
  }

  private async checkAccount(tx: KeyChange['tx'], accountId: string): Promise<void> {
    const account = await this.accounts.lock(tx, accountId);
    if (account === null) throw new AppError('account_not_found');
    if (account.kind === 'agent') throw conflict("An agent's account has the one key that it registered.");
    const lasting = await this.keys.countLasting(tx, accountId, ACCOUNT_KINDS, new Date(this.clock.now()));
    if (lasting >= MOST_LASTING_KEYS) throw conflict(`An account has ${MOST_LASTING_KEYS} working keys at most.`);
  }

  private checkExpiry(expiresAt: Date | null): void {
    if (expiresAt === null || expiresAt.getTime() > this.clock.now()) return;
    const error = 'expires_at must be a time that lies ahead';
    throw new AppError('invalid_input', { fields: [{ field: 'expires_at', error }] });
  }
}

function conflict(message: string): AppError {
  return new AppError('state_conflict', { message });
}
