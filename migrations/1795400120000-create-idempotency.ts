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
        CHECK ((status IS NULL) = (reply IS NULL))
      );
      CREATE INDEX idempotency_keys_expiring ON idempotency_keys (expires_at);
      COMMENT ON COLUMN idempotency_keys.scope_hash IS 'SHA-256 of account, kind of key, route and Idempotency-Key';
      COMMENT ON COLUMN idempotency_keys.fingerprint IS 'SHA-256 of the request; null while a streamed body still comes';
      COMMENT ON COLUMN idempotency_keys.lease_owner IS 'the attempt that does the work; another may take over once its lease has ended';
      COMMENT ON COLUMN idempotency_keys.reply IS 'sealed with SECRETS_KEY';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}
