import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TellAccountsOfAdministrators1795903400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `COMMENT ON COLUMN audit_log.simulated IS 'mode of the account''s keys that see the entry; null: administrators alone do'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `COMMENT ON COLUMN audit_log.simulated IS 'mode of the account''s key that acted; null when an administrator did'`,
    );
  }
}
