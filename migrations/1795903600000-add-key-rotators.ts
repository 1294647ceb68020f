import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddKeyRotators1795903600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_keys ADD COLUMN rotator_id uuid;
      CREATE INDEX api_keys_rotator ON api_keys (rotator_id) WHERE rotator_id IS NOT NULL;
      COMMENT ON COLUMN api_keys.rotator_id IS
        'the key that put it in the place of another; null: it is in no place of another, or by the command line';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX api_keys_rotator;
      ALTER TABLE api_keys DROP COLUMN rotator_id;
    `);
  }
}
