import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an account has chosen held for both modes, so both begin with it. */
export class SeparateModes1795300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE suppression_settings ADD COLUMN simulated boolean;
      UPDATE suppression_settings SET simulated = false;
      ALTER TABLE suppression_settings ALTER COLUMN simulated SET NOT NULL;
      ALTER TABLE suppression_settings DROP CONSTRAINT suppression_settings_pkey;
      ALTER TABLE suppression_settings ADD PRIMARY KEY (account_id, simulated);
      INSERT INTO suppression_settings (account_id, simulated, report_in_verify)
        SELECT account_id, true, report_in_verify FROM suppression_settings;
      COMMENT ON TABLE suppression_settings IS 'of accounts that have chosen something else than the defaults, by mode';
      COMMENT ON COLUMN suppression_settings.simulated IS 'of the test mode; else of the live one';

      DROP INDEX batches_listing;
      CREATE INDEX batches_listing ON batches (account_id, simulated, kind, created_at, id) WHERE state <> 'receiving';
      DROP INDEX webhook_endpoints_listing;
      CREATE INDEX webhook_endpoints_listing ON webhook_endpoints (account_id, simulated, created_at, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX webhook_endpoints_listing;
      CREATE INDEX webhook_endpoints_listing ON webhook_endpoints (account_id, created_at, id);
      DROP INDEX batches_listing;
      CREATE INDEX batches_listing ON batches (account_id, created_at, id) WHERE state <> 'receiving';

      DELETE FROM suppression_settings WHERE simulated;
      ALTER TABLE suppression_settings DROP CONSTRAINT suppression_settings_pkey;
      ALTER TABLE suppression_settings DROP COLUMN simulated;
      ALTER TABLE suppression_settings ADD PRIMARY KEY (account_id);
      COMMENT ON TABLE suppression_settings IS 'of accounts that have chosen something else than the defaults';
    `);
  }
}
