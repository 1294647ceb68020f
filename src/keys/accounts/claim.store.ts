import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
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

@Injectable()
export class ClaimStore {
  /** Null for a hash that no registration has. */
  async findByClaimToken(tx: EntityManager, hash: Buffer): Promise<ClaimableAgent | null> {
    const rows: ClaimableAgent[] = await tx.query(`${SELECT} WHERE r.claim_token_hash = $1`, [hash]);
    return rows[0] ?? null;
  }

  /** Null for a hash that no agent's key has. */
  async findByKey(tx: EntityManager, hash: Buffer): Promise<ClaimableAgent | null> {
    const rows: ClaimableAgent[] = await tx.query(`${SELECT} WHERE k.token_hash = $1`, [hash]);
    return rows[0] ?? null;
  }

  /** Counts the agents that the account has claimed. */
  count(tx: EntityManager, accountId: string): Promise<number> {
    return tx.countBy(Account, { claimedBy: accountId });
  }

  /** The account, and the agents that it has claimed. */
  async family(tx: EntityManager, accountId: string): Promise<string[]> {
    const accounts = await tx.find(Account, {
      select: { id: true },
      where: [{ id: accountId }, { claimedBy: accountId }],
    });
    return accounts.map(({ id }) => id);
  }

  /** From now on the agent's work is done where that of its claimer is. */
  async claim(tx: EntityManager, agentAccountId: string, claimer: Account, claimedAt: Date): Promise<void> {
    await tx.update(Account, { id: agentAccountId }, { claimedBy: claimer.id, claimedAt, region: claimer.region });
  }

  /** @returns the hash of the key's token */
  async changeKey(
    tx: EntityManager,
    id: string,
    changes: Pick<Key, 'name' | 'expiresAt' | 'ceilingId' | 'makerKind' | 'makerId'>,
  ): Promise<Buffer> {
    await tx.update(Key, { id }, changes);
    return (await tx.findOneOrFail(Key, { select: { tokenHash: true }, where: { id } })).tokenHash;
  }
}
