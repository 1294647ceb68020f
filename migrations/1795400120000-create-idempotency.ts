import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateIdempotency1795400120000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_keys (
        scope_hash       bytea PRIMARY KEY CHECK (octet_length(scope_hash) = 32),
        fingerprint      bytea CHECK (octet_length(fingerprint) = 32),
        lease_owner      uuid NOT NULL,
        lease_expires_at timestamptz NOT NULL,
        expires_at       timestamptz NOT NULL,
        status           smallint,
        reply            bytea,
        account_id       uuid,
        simulated        boolean,
        address_tags     bytea[],
        CHECK ((status IS NULL) = (reply IS NULL))
      );
      CREATE INDEX idempotency_keys_expiring ON idempotency_keys (expires_at);
      CREATE INDEX idempotency_keys_with_addresses ON idempotency_keys (account_id, simulated) WHERE account_id IS NOT NULL;
      COMMENT ON COLUMN idempotency_keys.scope_hash IS 'SHA-256 of account, kind of key, route and Idempotency-Key';
      COMMENT ON COLUMN idempotency_keys.fingerprint IS 'keyed hash of the request; null while a streamed body still comes, and of an erased reply';
      COMMENT ON COLUMN idempotency_keys.lease_owner IS 'the attempt that does the work; another may take over once its lease has ended';
      COMMENT ON COLUMN idempotency_keys.reply IS 'sealed with SECRETS_KEY; empty once an address of it was erased';
      COMMENT ON COLUMN idempotency_keys.account_id IS 'whose reply it is, when it holds addresses';
      COMMENT ON COLUMN idempotency_keys.address_tags IS 'keyed hashes of the addresses in the reply, by which it is found to be erased';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}
