import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { IdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { getAccountId, type Principal } from '../access/principal.js';
import { hashToken } from '../access/token.js';
import { AccountStore } from '../access/account.store.js';
import { type AskedCeilings, checkSetsCeilings, isCeiling } from '../scope/ceilings.js';
import { KeyCeilingStore } from '../access/key-ceiling.store.js';
import { type KeyChange, KeyTransaction } from '../access/key-transaction.js';
import { KeyService, type KeyRecord, makerOf } from '../key.service.js';
import { recordOwnAct } from '../own-acts.js';
import { checkIsInPlace, checkMayNoMore, endWithin } from '../scope/key-changes.js';
import { type ClaimableAgent, ClaimStore } from './claim.store.js';

export interface ClaimRequest {
  /** One of the two proves that the agent has handed itself over. */
  readonly claimToken: string | null;
  readonly agentKey: string | null;
  /** Null: as it is. */
  readonly name: string | null;
  /** Null: with the key that claims it. */
  readonly expiresAt: Date | null;
  /** What the agent may spend of the account beyond its free credits; without any, nothing. */
  readonly ceilings: AskedCeilings;
}

export interface ClaimedKey {
  readonly key: KeyRecord;
  readonly agent: ClaimableAgent;
  readonly claimedAt: Date;
}

/** The most agents of an account: a runaway program must not fill its lists. */
const MAX_CLAIMED_AGENTS = 100;

/** Takes agents' keys under full accounts, each once. The agent's own account stays the owner of what the agent makes. */
@Injectable()
export class ClaimsService {
  constructor(
    private readonly store: ClaimStore,
    private readonly accounts: AccountStore,
    private readonly keys: KeyService,
    private readonly transaction: KeyTransaction,
    private readonly ceilings: KeyCeilingStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** The account, and the agents that it has claimed: whose things it sees. */
  accountsOf(tx: EntityManager, accountId: string): Promise<readonly string[]> {
    return this.store.family(tx, accountId);
  }

  /** @throws AppError `live_key_required`, `permission_missing`, `ceiling_not_allowed`, `key_in_grace`, `claim_not_found`, `already_claimed`, `key_not_claimable`, `too_many_keys`, `invalid_input` */
  claim(principal: Principal, request: ClaimRequest, claim: IdempotencyClaim | null): Promise<ClaimedKey> {
    if (principal.simulated) throw new AppError('live_key_required', { message: TEST_KEY });
    if (request.expiresAt !== null && request.expiresAt.getTime() <= this.clock.now())
      throw invalidField('expires_at', 'must be a time that lies ahead');
    const accountId = getAccountId(principal);
    return this.transaction.run(async (change) => {
      const { tx } = change;
      const claimer = await this.accounts.lock(tx, accountId);
      const giver = await this.keys.lockGiver(change, principal.keyId);
      checkIsInPlace(giver);
      if (isCeiling(request.ceilings)) checkSetsCeilings(giver);
      const agent = await this.find(tx, request);
      const before = await this.lockClaimable(change, agent);
      const expiresAt = endWithin(giver, before.kind, request.expiresAt);
      checkMayNoMore(giver, { ...before, expiresAt });
      if ((await this.store.count(tx, accountId)) >= MAX_CLAIMED_AGENTS)
        throw new AppError('too_many_keys', { message: TOO_MANY });
      const claimedAt = this.clock.date();
      await this.store.claim(tx, agent.accountId, claimer!, claimedAt);
      const name = request.name ?? before.name;
      const asked = isCeiling(request.ceilings) ? request.ceilings : null;
      const ceiling = asked && (await this.ceilings.insert(tx, asked));
      const changes = { name, expiresAt, ceilingId: ceiling?.id ?? null, ...makerOf(giver) };
      change.touch([await this.store.changeKey(tx, agent.keyId, changes)]);
      const details = { agent_account_id: agent.accountId, name, expires_at: expiresAt, ...asked };
      await recordOwnAct(tx, principal, claimedAt, 'agent.claim', details, agent.keyId);
      return { key: { ...before, ...changes, ceiling }, agent, claimedAt };
    }, claim);
  }

  /** A token that has run out is as unknown as one that never was. */
  private async find(tx: EntityManager, { claimToken, agentKey }: ClaimRequest): Promise<ClaimableAgent> {
    const agent =
      claimToken === null
        ? await this.store.findByKey(tx, hashToken(agentKey!))
        : await this.store.findByClaimToken(tx, hashToken(claimToken));
    if (agent === null) throw new AppError('claim_not_found');
    if (claimToken !== null && agent.claimExpiresAt.getTime() <= this.clock.now())
      throw new AppError('claim_not_found');
    return agent;
  }

  /** Locks the agent's account and then its key, so that of two claims at once the second sees the first. */
  private async lockClaimable(change: KeyChange, agent: ClaimableAgent): Promise<KeyRecord> {
    const account = await this.accounts.lock(change.tx, agent.accountId);
    if (account === null) throw new AppError('claim_not_found');
    if (account.claimedBy !== null) throw new AppError('already_claimed');
    const key = await this.keys.lock(change, agent.keyId);
    const now = this.clock.now();
    const hasEnded = isPast(key.revokedAt, now) || isPast(key.expiresAt, now);
    if (hasEnded || account.suspendedAt !== null) throw new AppError('key_not_claimable');
    return key;
  }
}

const TEST_KEY = 'This needs a live key: what an agent does beyond its free credits is charged.';
const TOO_MANY = `An account claims ${MAX_CLAIMED_AGENTS} agents at most.`;

function isPast(time: Date | null, now: number): boolean {
  return time !== null && time.getTime() <= now;
}

export const CLAIM_PATH = 'claim';

/** Where a person reads how to claim an agent. It holds no token: addresses get into logs, histories and Referer headers. */
export function claimUrl(publicUrl: string): string {
  return `${publicUrl}/${CLAIM_PATH}`;
}
