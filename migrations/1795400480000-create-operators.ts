import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateOperators1795400480000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE operator_pauses (
        operator   text PRIMARY KEY,
        reason     text NOT NULL,
        paused_by  text NOT NULL,
        paused_at  timestamptz NOT NULL,
        ends_at    timestamptz
      );
      COMMENT ON TABLE operator_pauses IS 'mail operators to which nobody connects';
      COMMENT ON COLUMN operator_pauses.ends_at IS 'null: until an administrator resumes it';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE operator_pauses');
  }
}
