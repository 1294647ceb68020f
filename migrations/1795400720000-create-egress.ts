import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateEgress1795400720000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE source_conditions (
        source      text PRIMARY KEY,
        condition   text NOT NULL CHECK (condition IN ('drained', 'paused')),
        reason      text NOT NULL,
        changed_by  text NOT NULL,
        changed_at  timestamptz NOT NULL
      );
      COMMENT ON TABLE source_conditions IS 'sending addresses that an administrator has taken out; those that are not here ask';
      COMMENT ON COLUMN source_conditions.condition IS
        'drained: only asks those who must come back to it; paused: asks nobody';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE source_conditions');
  }
}
