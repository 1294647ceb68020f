import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddKindToBatches1795280460000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE batches ADD COLUMN kind text NOT NULL DEFAULT 'verify' CHECK (kind IN ('verify', 'find'));
      COMMENT ON COLUMN batches.kind IS 'verify: its rows are addresses; find: people, written as JSON of the name and @domain';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM batches WHERE kind = 'find'");
    await runner.query('ALTER TABLE batches DROP COLUMN kind');
  }
}
