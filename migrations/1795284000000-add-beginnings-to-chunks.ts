import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddBeginningsToChunks1795284000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE batch_chunks
        ADD COLUMN begun smallint NOT NULL DEFAULT 0 CHECK (begun >= 0),
        ADD COLUMN worker integer;
      CREATE INDEX batch_chunks_suspect ON batch_chunks (batch_id) WHERE NOT done AND begun >= 3;
      CREATE INDEX batch_chunks_held ON batch_chunks (worker) WHERE NOT done AND worker IS NOT NULL;
      COMMENT ON COLUMN batch_chunks.begun IS 'how often its round was begun since the last one was stored';
      COMMENT ON COLUMN batch_chunks.worker IS 'number of the process that holds it, which holds an advisory lock of this number as long as it lives';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE batch_chunks DROP COLUMN begun, DROP COLUMN worker');
  }
}
