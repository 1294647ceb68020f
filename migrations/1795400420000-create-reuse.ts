import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateReuse1795400420000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // EXTERNAL: hashes cannot be compressed, and PostgreSQL would try.
    await runner.query(`
      CREATE TABLE verification_settings (
        account_id  uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        simulated   boolean NOT NULL,
        address_key bytea,
        PRIMARY KEY (account_id, simulated)
      );
      COMMENT ON TABLE verification_settings IS 'of accounts that have used reuse_days or chosen something, by mode';
      COMMENT ON COLUMN verification_settings.address_key IS 'of the hashes of kept verdicts, sealed with SECRETS_KEY; null: reuse is off';

      CREATE TABLE kept_verdicts (
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        simulated  boolean NOT NULL,
        bucket     smallint NOT NULL,
        id         bigint GENERATED ALWAYS AS IDENTITY,
        oldest_at  timestamptz NOT NULL,
        verdicts   bytea NOT NULL,
        PRIMARY KEY (account_id, simulated, bucket, id)
      );
      ALTER TABLE kept_verdicts ALTER COLUMN verdicts SET STORAGE EXTERNAL;
      CREATE INDEX kept_verdicts_by_age ON kept_verdicts (oldest_at);
      CREATE INDEX kept_verdicts_loose ON kept_verdicts (account_id, simulated) WHERE bucket = -1;
      COMMENT ON TABLE kept_verdicts IS 'verdicts that may be given again, by keyed hashes of their addresses, many in a row';
      COMMENT ON COLUMN kept_verdicts.bucket IS 'first byte of the hashes; -1: any, until there are enough to be put into buckets';
      COMMENT ON COLUMN kept_verdicts.oldest_at IS 'of the verdicts: 90 days later the row is deleted';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE kept_verdicts, verification_settings');
  }
}
