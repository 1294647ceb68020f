import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { KEY_POLICIES, type KeyPolicies, type KeyPolicy, policyNamed } from '../../platform/config/policies.js';
import { AppError } from '../../platform/errors/app-error.js';
import { admits, clientNetwork } from '../scope/networks.js';
import { claimedBy, endOf, KeyCache, type KeyRow, KeyUses } from './caller-keys.js';
import type { Principal } from './principal.js';
import { hashToken, kindOfToken } from './token.js';
import { LRUCache } from 'lru-cache';
import { isOutage } from '../../platform/errors/outage.js';
import { Limiter } from '../../platform/redis/limits.js';

const WINDOW_MS = 60_000;

/** About 200 bytes each. */
const MAX_NETWORKS = 10_000;

/**
 * How often one client network may send keys that are no good, over all processes. Good keys are not counted and go on working from
 * the same network, so no caller shuts out the neighbours; and good keys cost nothing here.
 */
@Injectable()
export class FailedKeysService {
  /** Networks that may not fail now, with the time when they may again: until then Redis need not be asked. 0: Redis was away. */
  private readonly suspects = new LRUCache<string, number>({
    max: MAX_NETWORKS,
    perf: { now: () => performance.now() },
  });

  constructor(
    private readonly limiter: Limiter,
    @Inject(ENV) private readonly env: Env,
  ) {}

  isSuspect(clientAddress: string): boolean {
    return this.suspects.size > 0 && this.suspects.has(clientNetwork(clientAddress));
  }

  /**
   * Counts nothing while Redis is away, so that the caller still learns what is wrong with the key; its network is a suspect all the same.
   * @throws AppError `rate_limited` when the network has failed as often as it may
   */
  async count(clientAddress: string): Promise<void> {
    const network = clientNetwork(clientAddress);
    const until = this.suspects.get(network);
    if (until) throw limited(until - performance.now());
    const waitMs = await this.ask(network);
    if (waitMs === 0) return;
    this.suspects.set(network, performance.now() + waitMs, { ttl: waitMs });
    throw limited(waitMs);
  }

  /** @returns the milliseconds until the network may fail again; 0: it may now, and this is counted */
  private async ask(network: string): Promise<number> {
    const requests = this.env.failedKeysPerMinute;
    const limit = { kind: 'window', key: `failed-keys:${network}`, requests, windowMs: WINDOW_MS } as const;
    try {
      const { refusedBy, waitMs } = await this.limiter.admit([limit]);
      return refusedBy === null ? 0 : Math.max(1, waitMs);
    } catch (error) {
      if (!isOutage(error)) throw error;
      this.suspects.set(network, 0, { ttl: WINDOW_MS });
      return 0;
    }
  }
}

function limited(waitMs: number): AppError {
  return new AppError('rate_limited', { message: MESSAGE, retryAfterSeconds: waitMs / 1000 });
}

const MESSAGE = 'Too many requests from your network had an API key that is not valid. Valid keys work all the same.';

/** RFC 6750 section 2.1; the scheme's name is compared without regard to case (RFC 9110 section 11.1). */
const BEARER = /^Bearer +([^\s]+) *$/i;

/** Turns an `Authorization` header, or the hash of its token, into a principal. */
@Injectable()
export class AccessService {
  constructor(
    private readonly cache: KeyCache,
    private readonly uses: KeyUses,
    private readonly failed: FailedKeysService,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /**
   * @param clientAddress the caller's IP address, from trusted proxies only
   * @throws AppError one of the five 401 codes, `rate_limited` in their place, `account_suspended`, `address_not_allowed`.
   */
  async authenticate(authorization: string | undefined, clientAddress: string): Promise<Principal> {
    const token = BEARER.exec(authorization ?? '')?.[1];
    if (token === undefined) throw new AppError('key_missing');
    if (kindOfToken(token) === null) throw new AppError('key_malformed');
    return this.admit(hashToken(token), clientAddress);
  }

  /**
   * The caller whose token has this hash.
   * @throws AppError `key_unknown`, `key_expired`, `key_revoked`, `rate_limited` in their place, `account_suspended`, `address_not_allowed`.
   */
  async admit(tokenHash: Buffer, clientAddress: string): Promise<Principal> {
    const key = await this.cache.find(tokenHash, this.failed.isSuspect(clientAddress));
    const failure = key === null ? new AppError('key_unknown') : this.failureOf(key);
    if (key === null || failure !== null) return this.refuse(failure!, clientAddress);
    if (key.suspendedAt !== null) throw new AppError('account_suspended');
    if (!admits(key.networks, clientAddress)) throw new AppError('address_not_allowed');
    this.uses.record(key.id);
    return {
      keyId: key.id,
      accountId: key.accountId,
      kind: key.kind,
      simulated: key.kind === 'test',
      clientAddress,
      policy: this.policyOf(key),
      scope: { permissions: key.permissions, networks: key.networks },
      ceilingId: key.ceilingId,
      claimer: claimedBy(key, this.policies),
    };
  }

  /**
   * Counts a key, or what stands for one, that is no good.
   * @throws AppError the failure, or `rate_limited` in its place
   */
  async refuse(failure: AppError, clientAddress: string): Promise<never> {
    await this.failed.count(clientAddress);
    throw failure;
  }

  private failureOf(key: KeyRow): AppError | null {
    const code = endOf(key, this.clock.now());
    if (code === 'key_expired') return this.expired(key);
    return code && new AppError(code);
  }

  private expired({ kind }: KeyRow): AppError {
    const renewal = `The API key has expired. Register again for a new one: POST ${this.env.publicUrl}/agent-gateway/register`;
    return new AppError('key_expired', kind === 'agent' ? { message: renewal } : {});
  }

  private policyOf(key: KeyRow): KeyPolicy {
    return policyNamed(this.policies, key.policy ?? 'admin');
  }
}
