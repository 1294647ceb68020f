import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TellUntrustedRuns1795903660000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE monitor_runs ADD COLUMN untrusted boolean NOT NULL DEFAULT false;
      COMMENT ON COLUMN monitor_runs.untrusted IS 'answers of our own resolver were not believed, so that something is unanswered';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE monitor_runs DROP COLUMN untrusted');
  }
}
