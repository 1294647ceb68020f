import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Of refusals that were counted before, nobody knows the code. */
export class TellRefusalsByCode1795903612000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE usage_refusals ADD COLUMN code text NOT NULL DEFAULT 'not_recorded';
      ALTER TABLE usage_refusals ALTER COLUMN code DROP DEFAULT;
      ALTER TABLE usage_refusals DROP CONSTRAINT usage_refusals_pkey;
      ALTER TABLE usage_refusals ADD PRIMARY KEY (account_id, utc_date, key_id, status, code);
      COMMENT ON COLUMN usage_refusals.code IS 'what the caller was told (docs/errors.md)';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TEMPORARY TABLE refusals_by_status ON COMMIT DROP AS
        SELECT account_id, utc_date, key_id, status, simulated, sum(refusals) AS refusals
          FROM usage_refusals GROUP BY account_id, utc_date, key_id, status, simulated;
      DELETE FROM usage_refusals;
      ALTER TABLE usage_refusals DROP CONSTRAINT usage_refusals_pkey;
      ALTER TABLE usage_refusals DROP COLUMN code;
      ALTER TABLE usage_refusals ADD PRIMARY KEY (account_id, utc_date, key_id, status);
      INSERT INTO usage_refusals (account_id, utc_date, key_id, status, simulated, refusals)
        SELECT account_id, utc_date, key_id, status, simulated, refusals FROM refusals_by_status;
    `);
  }
}
