import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateFinder1795280400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE domain_patterns (
        domain    text NOT NULL,
        pattern   text NOT NULL,
        addresses bigint NOT NULL CHECK (addresses > 0),
        PRIMARY KEY (domain, pattern)
      );
      COMMENT ON TABLE domain_patterns IS 'how a company makes addresses of names: counts, never an address';
      COMMENT ON COLUMN domain_patterns.pattern IS 'such as {first}.{last}';

      CREATE TABLE suppressions (
        account_id   uuid REFERENCES accounts ON DELETE CASCADE,
        simulated    boolean NOT NULL,
        address_hash bytea NOT NULL CHECK (octet_length(address_hash) = 32),
        reason       text,
        created_at   timestamptz NOT NULL
      );
      CREATE UNIQUE INDEX suppressions_of_account ON suppressions (address_hash, account_id, simulated)
        WHERE account_id IS NOT NULL;
      CREATE UNIQUE INDEX suppressions_of_all ON suppressions (address_hash) WHERE account_id IS NULL;
      CREATE INDEX suppressions_listing ON suppressions (account_id, simulated, created_at, address_hash);
      COMMENT ON TABLE suppressions IS 'who asked not to be found';
      COMMENT ON COLUMN suppressions.account_id IS 'for whom it holds; null: for everybody';
      COMMENT ON COLUMN suppressions.simulated IS 'made with a test key, and for test keys only';
      COMMENT ON COLUMN suppressions.address_hash IS 'SHA-256 of the address in lower case, without its +tag';

      CREATE TABLE suppression_settings (
        account_id       uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
        report_in_verify boolean NOT NULL
      );
      COMMENT ON TABLE suppression_settings IS 'of accounts that have chosen something else than the defaults';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE suppression_settings, suppressions, domain_patterns');
  }
}
