import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAccountsAndKeys1795219200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE accounts (
        id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        kind       text NOT NULL CHECK (kind IN ('agent', 'full')),
        policy     text NOT NULL,
        name       text,
        created_at timestamptz NOT NULL
      );
      COMMENT ON COLUMN accounts.policy IS 'a row of config/key-policies.json';

      CREATE TABLE api_keys (
        id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        account_id   uuid REFERENCES accounts ON DELETE CASCADE,
        kind         text NOT NULL CHECK (kind IN ('agent', 'live', 'test', 'admin')),
        token_hash   bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
        last_four    text NOT NULL,
        name         text,
        created_at   timestamptz NOT NULL,
        expires_at   timestamptz,
        last_used_at timestamptz,
        revoked_at   timestamptz,
        CHECK ((kind = 'admin') = (account_id IS NULL))
      );
      CREATE INDEX api_keys_account ON api_keys (account_id);
      COMMENT ON COLUMN api_keys.revoked_at IS 'refused from then on; in the future while a rotated key has its grace';

      CREATE TABLE agent_registrations (
        account_id     uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
        purpose        text,
        contact        text,
        client_address inet NOT NULL,
        registered_at  timestamptz NOT NULL
      );
      CREATE INDEX agent_registrations_address ON agent_registrations (client_address);
      COMMENT ON COLUMN agent_registrations.client_address IS 'personal data: kept to find and revoke what one address registered, gone with the account';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE agent_registrations, api_keys, accounts');
  }
}
