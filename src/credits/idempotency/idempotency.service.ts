import { hash, randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Principal } from '../../keys/principal.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Claim } from '../../platform/http/claim.js';
import { Secrets } from '../../platform/secrets/secrets.js';
import { type ClaimedKey, IdempotencyStore, type KnownKey } from './idempotency.store.js';
import { type KeptReply, withoutSecrets } from './kept-reply.js';

export interface IdempotentRequest {
  readonly principal: Principal;
  /** Method and pattern, such as `POST /api/v1/keys/:id/rotate`, or the name of a tool. */
  readonly route: string;
  readonly key: string;
  /** SHA-256 of what was asked. Of a body that still comes: reads what is left of it. */
  readonly fingerprint: Buffer | (() => Promise<Buffer>);
}

export interface Reply {
  readonly reply: KeptReply;
  readonly replayed: boolean;
}

interface SealedReply extends KeptReply {
  /** The key that asked first. */
  readonly keyId: string;
}

const UNREADABLE_REPLY =
  'The request with this idempotency key was answered before, but that reply cannot be read any more. It is not done again.';

const KEPT_MS = 24 * 3_600_000;

/** A killed process gives its keys up after this long; a living one renews them three times in it, however long the work. */
const LEASE_MS = 15_000;

/* What the second of two requests waits before it asks again: about what a verification takes. */
const RETRY_SECONDS = 1;

/* A key that is freed between the two looks at it is looked at again; more often than this it is in use. */
const LOOKS = 3;

/** Does the work of an idempotency key once, and remembers the reply (contract section 6). */
@Injectable()
export class IdempotencyService implements OnModuleDestroy {
  private readonly logger = new Logger(IdempotencyService.name);
  private readonly held = new Set<ClaimedKey>();
  private readonly renewing: NodeJS.Timeout;

  constructor(
    private readonly database: DataSource,
    private readonly store: IdempotencyStore,
    private readonly secrets: Secrets,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {
    this.renewing = setInterval(() => void this.renew(), LEASE_MS / 3).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.renewing);
  }

  /**
   * @param work makes the reply to keep; what it does in the transaction of its claim is done if and only if that reply is
   *   kept. When it throws nothing is kept, and the next request with the key begins anew.
   * @throws AppError `idempotency_in_progress`, `idempotency_key_reused`, `state_conflict` for a reply that cannot be read any more, and what `work` throws
   */
  async once(request: IdempotentRequest, work: (claim: Claim) => Promise<KeptReply>): Promise<Reply> {
    const key = this.newKey(request);
    for (let look = 1; look <= LOOKS; look++) {
      if (await this.store.claim(key, new Date(this.clock.now()))) return this.attempt(request, key, work);
      const known = await this.store.find(key.scopeHash);
      if (known !== null) return { reply: await this.replay(request, known), replayed: true };
    }
    throw inProgress();
  }

  /** Keeps the keys of what still runs; called by a timer. */
  async renew(): Promise<void> {
    if (this.held.size === 0) return;
    const keys = [...this.held];
    const leasedUntil = new Date(this.clock.now() + LEASE_MS);
    await this.store
      .renew(
        keys.map(({ holder }) => holder),
        keys.map(({ scopeHash }) => scopeHash),
        leasedUntil,
      )
      .catch((error: Error) => this.logger.warn(`idempotency keys in use were not renewed: ${error.message}`));
  }

  /** @returns how many replies were forgotten whose time is over */
  deleteExpired(limit = 1000): Promise<number> {
    return this.store.deleteExpired(new Date(this.clock.now()), limit);
  }

  private async attempt(
    request: IdempotentRequest,
    key: ClaimedKey,
    work: (claim: Claim) => Promise<KeptReply>,
  ): Promise<Reply> {
    const claim = new Claim(this.database);
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

  private async keep(request: IdempotentRequest, key: ClaimedKey, claim: Claim, reply: KeptReply): Promise<void> {
    const finished = {
      ...key,
      fingerprint: await fingerprintOf(request),
      expiresAt: new Date(this.clock.now() + KEPT_MS),
    };
    const kept = { status: reply.status, sealed: this.seal(request, reply) };
    await claim.commit(async (tx) => {
      if (!(await this.store.keep(tx, finished, kept))) throw inProgress();
    });
  }

  private async replay(request: IdempotentRequest, { fingerprint, status, reply }: KnownKey): Promise<KeptReply> {
    if (status === null) {
      const { fingerprint: asked } = request;
      if (fingerprint !== null && Buffer.isBuffer(asked) && !asked.equals(fingerprint)) throw reused();
      throw inProgress();
    }
    if (!(await fingerprintOf(request)).equals(fingerprint!)) throw reused();
    return this.unseal(request, reply!);
  }

  /** Replies hold tokens and addresses, so a copy of the database alone must not tell them: it lacks `SECRETS_KEY`. */
  private seal(request: IdempotentRequest, reply: KeptReply): Buffer {
    const sealed: SealedReply = { ...reply, keyId: request.principal.keyId };
    return this.secrets.seal(JSON.stringify(sealed), contextOf(request));
  }

  /** @throws AppError `state_conflict` when no key of `SECRETS_KEY` opens it: the work was done, so it is not done again */
  private unseal(request: IdempotentRequest, sealed: Buffer): KeptReply {
    let text: string;
    try {
      text = this.secrets.open(sealed, contextOf(request));
    } catch {
      this.logger.warn('a kept reply cannot be opened: it was sealed with another SECRETS_KEY');
      throw new AppError('state_conflict', { message: UNREADABLE_REPLY });
    }
    const { keyId, ...reply } = JSON.parse(text) as SealedReply;
    return keyId === request.principal.keyId ? reply : withoutSecrets(reply);
  }

  /** A key that cannot be freed is free when its lease ends. */
  private async abandon(key: ClaimedKey): Promise<void> {
    await this.store
      .abandon(key)
      .catch((error: Error) => this.logger.warn(`an idempotency key was not freed: ${error.message}`));
  }

  private newKey(request: IdempotentRequest): ClaimedKey {
    const now = this.clock.now();
    return {
      scopeHash: hash('sha256', `scope ${scopeOf(request)}`, 'buffer'),
      fingerprint: Buffer.isBuffer(request.fingerprint) ? request.fingerprint : null,
      holder: randomUUID(),
      leasedUntil: new Date(now + LEASE_MS),
      expiresAt: new Date(now + KEPT_MS),
    };
  }
}

async function fingerprintOf({ fingerprint }: IdempotentRequest): Promise<Buffer> {
  return Buffer.isBuffer(fingerprint) ? fingerprint : fingerprint();
}

function scopeOf({ principal, route, key }: IdempotentRequest): string {
  return JSON.stringify([principal.accountId ?? principal.keyId, principal.kind, route, key]);
}

function contextOf(request: IdempotentRequest): string {
  return `kept reply ${scopeOf(request)}`;
}

function inProgress(): AppError {
  return new AppError('idempotency_in_progress', { retryAfterSeconds: RETRY_SECONDS });
}

function reused(): AppError {
  return new AppError('idempotency_key_reused');
}
