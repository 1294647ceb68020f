import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { IdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { getAccountId, type Principal } from '../access/principal.js';
import { hashToken } from '../access/token.js';
import { type CeilingsInput, checkSetsCeilings, isCeiling } from '../scope/ceilings.js';
import { KeyCeilingStore } from '../access/key-ceiling.store.js';
import { type KeyChange, KeyTransaction, lockAccount } from '../access/key-transaction.js';
import { KeyService, type KeyRecord, makerOf } from '../key.service.js';
import { recordAccountAction } from '../account-actions.js';
import { checkIsInPlace, checkMayNoMore, endWithin } from '../scope/key-changes.js';
import { Account } from '../access/account.entity.js';
import { Key } from '../access/key.entity.js';

/** An agent's key that can be claimed, with the particulars of its registration. */
export interface ClaimableAgent {
  readonly keyId: string;
  readonly accountId: string;
  readonly purpose: string | null;
  readonly contact: string | null;
  readonly registeredAt: Date;
  readonly claimExpiresAt: Date;
}

const SELECT = `
  SELECT k.id AS "keyId", r.account_id AS "accountId", r.purpose, r.contact, r.registered_at AS "registeredAt",
         r.claim_expires_at AS "claimExpiresAt"
    FROM agent_registrations r JOIN api_keys k ON k.account_id = r.account_id AND k.kind = 'agent'`;

export interface ClaimRequest {
  /** One of the two proves that the agent has handed itself over. */
  readonly claimToken: string | null;
  readonly agentKey: string | null;
  /** Null: as it is. */
  readonly name: string | null;
  /** Null: with the key that claims it. */
  readonly expiresAt: Date | null;
  /** What the agent may spend of the account beyond its free credits; without any, nothing. */
  readonly ceilings: CeilingsInput;
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
    private readonly keys: KeyService,
    private readonly transaction: KeyTransaction,
    private readonly ceilings: KeyCeilingStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** The account, and the agents that it has claimed: whose things it sees. */
  async accountsOf(tx: EntityManager, accountId: string): Promise<readonly string[]> {
    const where = [{ id: accountId }, { claimedBy: accountId }];
    return (await tx.find(Account, { select: { id: true }, where })).map(({ id }) => id);
  }

  /** @throws AppError `live_key_required`, `permission_missing`, `ceiling_not_allowed`, `key_in_grace`, `claim_not_found`, `already_claimed`, `key_not_claimable`, `too_many_keys`, `invalid_input` */
  claim(principal: Principal, request: ClaimRequest, claim: IdempotencyClaim | null): Promise<ClaimedKey> {
    if (principal.simulated) throw new AppError('live_key_required', { message: TEST_KEY });
    if (request.expiresAt !== null && request.expiresAt.getTime() <= this.clock.now())
      throw invalidField('expires_at', 'must be a time that lies ahead');
    const accountId = getAccountId(principal);
    return this.transaction.run(async (change) => {
      const { tx } = change;
      const claimer = await lockAccount(tx, accountId);
      const giver = await this.keys.lockGiver(change, principal.keyId);
      checkIsInPlace(giver);
      if (isCeiling(request.ceilings)) checkSetsCeilings(giver);
      const agent = await this.find(tx, request);
      const before = await this.lockClaimable(change, agent);
      const expiresAt = endWithin(giver, before.kind, request.expiresAt);
      checkMayNoMore(giver, { ...before, expiresAt });
      if ((await tx.countBy(Account, { claimedBy: accountId })) >= MAX_CLAIMED_AGENTS)
        throw new AppError('too_many_keys', { message: TOO_MANY });
      const claimedAt = this.clock.date();
      // From now on the agent's work is done where that of its claimer is.
      const claimed = { claimedBy: claimer!.id, claimedAt, region: claimer!.region };
      await tx.update(Account, { id: agent.accountId }, claimed);
      const name = request.name ?? before.name;
      const asked = isCeiling(request.ceilings) ? request.ceilings : null;
      const ceiling = asked && (await this.ceilings.insert(tx, asked));
      const changes = { name, expiresAt, ceilingId: ceiling?.id ?? null, ...makerOf(giver) };
      await tx.update(Key, { id: agent.keyId }, changes);
      const { tokenHash } = await tx.findOneOrFail(Key, { select: { tokenHash: true }, where: { id: agent.keyId } });
      change.touch([tokenHash]);
      const details = { agent_account_id: agent.accountId, name, expires_at: expiresAt, ...asked };
      await recordAccountAction(tx, principal, claimedAt, 'agent.claim', details, agent.keyId);
      return { key: { ...before, ...changes, ceiling }, agent, claimedAt };
    }, claim);
  }

  /** A token that has run out is as unknown as one that never was. */
  private async find(tx: EntityManager, { claimToken, agentKey }: ClaimRequest): Promise<ClaimableAgent> {
    const column = claimToken === null ? 'k.token_hash' : 'r.claim_token_hash';
    const hash = hashToken(claimToken ?? agentKey!);
    const [agent]: ClaimableAgent[] = await tx.query(`${SELECT} WHERE ${column} = $1`, [hash]);
    if (agent === undefined) throw new AppError('claim_not_found');
    if (claimToken !== null && agent.claimExpiresAt.getTime() <= this.clock.now())
      throw new AppError('claim_not_found');
    return agent;
  }

  /** Locks the agent's account and then its key, so that of two claims at once the second sees the first. */
  private async lockClaimable(change: KeyChange, agent: ClaimableAgent): Promise<KeyRecord> {
    const account = await lockAccount(change.tx, agent.accountId);
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
