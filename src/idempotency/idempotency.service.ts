import { hash, randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DAY_MS } from '../lib/durations.js';
import { Periodic } from '../lib/periodic.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import { IdempotencyClaim } from './idempotency-claim.js';
import { Secrets } from '../platform/config/secrets.js';
import { type ClaimedKey, IdempotencyStore, type KnownKey } from './idempotency.store.js';
import { type IdempotentRequest, scopeOf } from './idempotent-request.js';
import { type StoredReply, ReplySeal } from './stored-reply.js';

export interface Reply {
  readonly reply: StoredReply;
  readonly replayed: boolean;
}

const RETENTION_MS = DAY_MS;

/** The lease of a key: a killed process loses its keys after this long; a living one renews them three times within it. */
const LEASE_MS = 15_000;

/** While the database is away no key can be freed: this often those are tried again. */
const FREE_EVERY_MS = 1_000;

/** More than these are free when their leases end. */
const MAX_TO_FREE = 10_000;

/* Replies deleted by one statement: few, so that it is short, as the next one comes soon. */
const MAX_DELETED = 1_000;

/* The `Retry-After` of the second of two concurrent requests: about as long as a verification takes. */
const RETRY_SECONDS = 1;

/* Tries to claim a key that another request frees between two statements; after these the key counts as in use. */
const CLAIM_TRIES = 3;

/** Does the work of an idempotency key once, and remembers the reply (docs/credits.md#idempotency). */
@Injectable()
export class IdempotencyService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(IdempotencyService.name);
  private readonly held = new Set<ClaimedKey>();
  /** Their work failed while the database was away. */
  private readonly toFree = new Set<ClaimedKey>();
  private readonly seal: ReplySeal;
  private readonly renewing: Periodic;
  private readonly freeing: Periodic;

  constructor(
    private readonly database: DataSource,
    private readonly store: IdempotencyStore,
    secrets: Secrets,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    this.seal = new ReplySeal(secrets);
    this.renewing = new Periodic(() => this.renew(), {
      everyMs: LEASE_MS / 3,
      firstAfterMs: LEASE_MS / 3,
      timer,
      onError: (error) => this.logger.warn(`idempotency keys in use were not renewed: ${(error as Error).message}`),
    });
    this.freeing = new Periodic(() => this.free(), {
      everyMs: FREE_EVERY_MS,
      firstAfterMs: FREE_EVERY_MS,
      timer,
      onError: () => undefined, // The first failure was told.
    });
  }

  onModuleInit(): void {
    this.renewing.start();
    this.freeing.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.renewing.stop(), this.freeing.stop()]);
  }

  /** Deletes replies that are old enough, some at a time. @returns how many */
  deleteExpired(): Promise<number> {
    return this.store.deleteExpired(this.clock.date(), MAX_DELETED);
  }

  /**
   * @param work makes the reply to keep; the transaction of its claim is committed if and only if that reply is kept. When it
   *   throws nothing is kept, and the next request with the key starts again.
   * @throws AppError `idempotency_in_progress`, `idempotency_key_reused`, `idempotency_reply_lost`, and what `work` throws
   */
  async once(request: IdempotentRequest, work: (claim: IdempotencyClaim) => Promise<StoredReply>): Promise<Reply> {
    const key = this.newKey(request);
    for (let look = 1; look <= CLAIM_TRIES; look++) {
      if (await this.store.claim(key, this.clock.date())) return this.attempt(request, key, work);
      const known = await this.store.find(key.scopeHash);
      if (known !== null) return { reply: await this.replay(request, known), replayed: true };
    }
    throw inProgress();
  }

  /** Renews the leases of keys whose work still runs; a timer calls it. */
  async renew(): Promise<void> {
    if (this.held.size === 0) return;
    await this.store.renew([...this.held], new Date(this.clock.now() + LEASE_MS));
  }

  /** Frees the keys that could not be freed when their work failed; a timer calls it. */
  async free(): Promise<void> {
    if (this.toFree.size === 0) return;
    const keys = [...this.toFree];
    await this.store.abandon(keys);
    for (const key of keys) this.toFree.delete(key);
  }

  private async attempt(
    request: IdempotentRequest,
    key: ClaimedKey,
    work: (claim: IdempotencyClaim) => Promise<StoredReply>,
  ): Promise<Reply> {
    const claim = new IdempotencyClaim(this.database);
    this.held.add(key);
    try {
      const reply = await work(claim);
      await this.keep(request, key, claim, reply);
      return { reply, replayed: false };
    } catch (error) {
      await claim.rollback();
      await this.abandon(key);
      throw error;
    } finally {
      this.held.delete(key);
    }
  }

  private async keep(
    request: IdempotentRequest,
    key: ClaimedKey,
    claim: IdempotencyClaim,
    reply: StoredReply,
  ): Promise<void> {
    const finished = {
      ...key,
      fingerprint: this.seal.fingerprint(await fingerprintOf(request)),
      expiresAt: new Date(this.clock.now() + RETENTION_MS),
    };
    const kept = this.seal.seal(request, reply);
    await claim.commit(async (tx) => {
      if (!(await this.store.keep(tx, finished, kept))) throw inProgress();
    });
  }

  private async replay(request: IdempotentRequest, { fingerprint, status, reply }: KnownKey): Promise<StoredReply> {
    if (status === null) {
      const { fingerprint: asked } = request;
      if (fingerprint !== null && Buffer.isBuffer(asked) && !this.seal.isSame(asked, fingerprint)) throw reused();
      throw inProgress();
    }
    // An address of it was erased: the work is done, and stays so.
    if (fingerprint === null) throw new AppError('idempotency_reply_lost');
    // The reply first: where nothing opens it, nothing recognises the request either.
    const opened = this.seal.open(request, reply!);
    if (opened === null) {
      this.logger.warn('a kept reply cannot be opened: it was sealed with another SECRETS_KEY');
      // The work is done already and must not be repeated.
      throw new AppError('idempotency_reply_lost');
    }
    if (!this.seal.isSame(await fingerprintOf(request), fingerprint)) throw reused();
    return opened;
  }

  /** A key that cannot be freed now is freed when the database is back, or is free when its lease ends. */
  private async abandon(key: ClaimedKey): Promise<void> {
    try {
      await this.store.abandon([key]);
    } catch (error) {
      this.logger.warn(`an idempotency key was not freed: ${(error as Error).message}`);
      if (this.toFree.size < MAX_TO_FREE) this.toFree.add(key);
    }
  }

  private newKey(request: IdempotentRequest): ClaimedKey {
    const now = this.clock.now();
    return {
      scopeHash: hash('sha256', `scope ${scopeOf(request)}`, 'buffer'),
      fingerprint: Buffer.isBuffer(request.fingerprint) ? this.seal.fingerprint(request.fingerprint) : null,
      leaseOwner: randomUUID(),
      leaseExpiresAt: new Date(now + LEASE_MS),
      expiresAt: new Date(now + RETENTION_MS),
    };
  }
}

async function fingerprintOf({ fingerprint }: IdempotentRequest): Promise<Buffer> {
  return Buffer.isBuffer(fingerprint) ? fingerprint : fingerprint();
}

function inProgress(): AppError {
  return new AppError('idempotency_in_progress', { retryAfterSeconds: RETRY_SECONDS });
}

function reused(): AppError {
  return new AppError('idempotency_key_reused');
}
