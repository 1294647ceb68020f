import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddMonitorIncidents1795821600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE monitor_findings ADD COLUMN incident_id bigint;
      COMMENT ON COLUMN monitor_findings.incident_id IS 'from the first look that sees it to its end; null: it was seen before incidents were numbered';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE monitor_findings DROP COLUMN incident_id');
  }
}
