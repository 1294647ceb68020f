import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddResolverDoubts1795903650000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE resolver_doubts (
        process_id  uuid PRIMARY KEY,
        machine     text NOT NULL,
        finding     text NOT NULL CHECK (finding IN ('denies', 'makes_up')),
        since       timestamptz NOT NULL,
        seen_at     timestamptz NOT NULL
      );
      COMMENT ON TABLE resolver_doubts IS 'processes that do not believe their DNS resolver, because it lies';
      COMMENT ON COLUMN resolver_doubts.seen_at IS 'told again while it is so: what is old is of a process that is gone';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE resolver_doubts');
  }
}
