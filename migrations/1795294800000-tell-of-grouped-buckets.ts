import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TellOfGroupedBuckets1795294800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      COMMENT ON TABLE batch_chunks IS 'the work: each address once, at most 1,000 in a row, those of one mail operator in one bucket';
      COMMENT ON COLUMN batch_chunks.bucket IS 'negative: by mail domain, and to be grouped by mail operator before it is worked';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      COMMENT ON TABLE batch_chunks IS 'the work: each address once, at most 1,000 in a row, those of one mail domain in one bucket';
      COMMENT ON COLUMN batch_chunks.bucket IS NULL;
    `);
  }
}
