import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateDomainChecks1795401230000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE domain_checks (
        id               bigint PRIMARY KEY,
        account_id       uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        simulated        boolean NOT NULL,
        domain           text NOT NULL,
        result           jsonb NOT NULL,
        credits_charged  integer NOT NULL,
        latency_ms       integer NOT NULL,
        created_at       timestamptz NOT NULL
      );
      CREATE INDEX domain_checks_listing ON domain_checks (account_id, simulated, created_at DESC, id DESC);
      CREATE INDEX domain_checks_created_at ON domain_checks (created_at);
      COMMENT ON COLUMN domain_checks.id IS 'random, so that it does not reveal how many checks there are';
      COMMENT ON COLUMN domain_checks.result IS 'as it was answered';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE domain_checks');
  }
}
