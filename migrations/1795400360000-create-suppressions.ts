import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateSuppressions1795400360000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE suppressions (
        id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        account_id   uuid REFERENCES accounts ON DELETE CASCADE,
        simulated    boolean NOT NULL,
        address_hash bytea NOT NULL CHECK (octet_length(address_hash) = 32),
        reason       text,
        created_at   timestamptz NOT NULL
      );
      CREATE UNIQUE INDEX suppressions_of_account ON suppressions (address_hash, account_id, simulated)
        WHERE account_id IS NOT NULL;
      CREATE UNIQUE INDEX suppressions_of_all ON suppressions (address_hash) WHERE account_id IS NULL;
      CREATE INDEX suppressions_listing ON suppressions (account_id, simulated, created_at, id);
      COMMENT ON TABLE suppressions IS 'who asked not to be found';
      COMMENT ON COLUMN suppressions.account_id IS 'for whom it holds; null: for everybody';
      COMMENT ON COLUMN suppressions.simulated IS 'made with a test key, and for test keys only';
      COMMENT ON COLUMN suppressions.address_hash IS 'SHA-256 of the address in lower case, without its +tag';

      CREATE TABLE suppression_settings (
        account_id       uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        simulated        boolean NOT NULL,
        report_in_verify boolean NOT NULL,
        PRIMARY KEY (account_id, simulated)
      );
      COMMENT ON TABLE suppression_settings IS 'of accounts that have chosen something else than the defaults, by mode';
      COMMENT ON COLUMN suppression_settings.simulated IS 'of the test mode; else of the live one';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE suppression_settings, suppressions');
  }
}
