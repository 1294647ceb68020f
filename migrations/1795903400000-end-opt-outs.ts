import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EndOptOuts1795903400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE opt_outs SET ends_at = least(ends_at, now() + interval '400 days');
      ALTER TABLE opt_outs ALTER COLUMN ends_at SET NOT NULL;
      COMMENT ON COLUMN opt_outs.ends_at IS 'at most 400 days after made_at; whoever opts out again renews it';
      CREATE INDEX opt_outs_ended ON opt_outs (ends_at);
      DELETE FROM opt_out_links;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX opt_outs_ended;
      ALTER TABLE opt_outs ALTER COLUMN ends_at DROP NOT NULL;
      COMMENT ON COLUMN opt_outs.ends_at IS 'null: until an administrator removes it';
    `);
  }
}
