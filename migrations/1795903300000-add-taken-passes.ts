import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddTakenPasses1795903300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE batch_chunks ADD COLUMN taken_passes smallint NOT NULL DEFAULT 0;
      ALTER TABLE batch_chunks ADD COLUMN free_offsets smallint[];
      COMMENT ON COLUMN batch_chunks.pass IS 'the number by which its results are stored; without taken_passes: 0, then the number of a time in the retry window';
      COMMENT ON COLUMN batch_chunks.taken_passes IS 'passes that a correction added, which are no tries of the retry window';
      COMMENT ON COLUMN batch_chunks.free_offsets IS 'items that a correction refunded: their next answers cost nothing; null: none';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE batch_chunks DROP COLUMN free_offsets;
      ALTER TABLE batch_chunks DROP COLUMN taken_passes;
      COMMENT ON COLUMN batch_chunks.pass IS '0, then the number of a time in the retry window';
    `);
  }
}
