import type { MigrationInterface, QueryRunner } from 'typeorm';

const RETRIED =
  'how many items wait, by reason: greylisted, rate_limited, temporary_failure, smtp_timeout, dns_error, ip_blocked, smtp_unreachable';

export class SlowNameRuns1795903500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`COMMENT ON COLUMN batch_chunks.waiting_counts IS '${RETRIED}, enumeration_suspected'`);
    await runner.query(`CREATE INDEX audit_log_name_runs ON audit_log (at) WHERE action = 'enumeration.suspect'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audit_log_name_runs');
    await runner.query(`COMMENT ON COLUMN batch_chunks.waiting_counts IS '${RETRIED}'`);
  }
}
