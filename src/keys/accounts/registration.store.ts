import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

export interface NewAgent {
  readonly tokenHash: Buffer;
  readonly lastFour: string;
  readonly name: string | null;
  readonly purpose: string | null;
  readonly contact: string | null;
  /** Null when a proxy forwarded none. */
  readonly clientAddress: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly claimTokenHash: Buffer;
  readonly claimExpiresAt: Date;
}

@Injectable()
export class RegistrationStore {
  constructor(private readonly database: DataSource) {}

  /** Inserts an account of kind `agent`, the particulars of its registration, and its key. */
  async insertAgent(agent: NewAgent): Promise<void> {
    await this.database.query(
      `WITH account AS (
         INSERT INTO accounts (kind, policy, name, created_at) VALUES ('agent', 'agent', $1, $2) RETURNING id
       ), registration AS (
         INSERT INTO agent_registrations (account_id, purpose, contact, client_address, registered_at, claim_token_hash,
                                          claim_expires_at)
         SELECT id, $3, $4, $5::inet, $2, $9::bytea, $10::timestamptz FROM account
       )
       INSERT INTO api_keys (account_id, kind, token_hash, last_four, name, created_at, expires_at)
       SELECT id, 'agent', $6::bytea, $7, $1, $2, $8::timestamptz FROM account`,
      [
        agent.name,
        agent.createdAt,
        agent.purpose,
        agent.contact,
        agent.clientAddress,
        agent.tokenHash,
        agent.lastFour,
        agent.expiresAt,
        agent.claimTokenHash,
        agent.claimExpiresAt,
      ],
    );
  }
}
