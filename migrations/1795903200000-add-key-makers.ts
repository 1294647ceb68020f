import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddKeyMakers1795903200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_keys ADD COLUMN maker_kind text
        CONSTRAINT api_keys_maker_kind_check CHECK (maker_kind IN ('key', 'administrator'));
      ALTER TABLE api_keys ADD COLUMN maker_id uuid;
      ALTER TABLE api_keys ADD CONSTRAINT api_keys_maker_check
        CHECK (maker_id IS NULL OR maker_kind IS NOT NULL);
      CREATE INDEX api_keys_maker ON api_keys (maker_id) WHERE maker_id IS NOT NULL;
      CREATE INDEX api_keys_successor ON api_keys (successor_id) WHERE successor_id IS NOT NULL;
      COMMENT ON COLUMN api_keys.maker_kind IS 'null: an agent that registered itself, or a key older than this column';
      COMMENT ON COLUMN api_keys.maker_id IS 'the key that made it, or of an agent that claimed it; null: the command line';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX api_keys_successor;
      DROP INDEX api_keys_maker;
      ALTER TABLE api_keys DROP COLUMN maker_id;
      ALTER TABLE api_keys DROP COLUMN maker_kind;
    `);
  }
}
