import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { KEY_POLICIES, type KeyPolicies, type KeyPolicy, policyNamed } from '../../platform/config/policies.js';
import { AppError } from '../../platform/errors/app-error.js';
import { claimedBy } from './billing-accounts.js';
import { admits } from '../scope/networks.js';
import { FailedKeysService } from './failed-keys.service.js';
import { KeyCache } from './key-cache.js';
import { endOf, type KeyRow } from './key-lookup.store.js';
import { KeyUses } from './key-uses.js';
import type { Principal } from './principal.js';
import { hashToken, kindOfToken } from './token.js';

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
