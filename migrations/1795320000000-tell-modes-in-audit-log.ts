import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TellModesInAuditLog1795320000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audit_log ADD simulated boolean;
      COMMENT ON TABLE audit_log IS 'every change that an administrator or an account made; rows outlive the accounts and keys that they name';
      COMMENT ON COLUMN audit_log.actor_id IS 'the key that acted; null for the command line';
      COMMENT ON COLUMN audit_log.simulated IS 'mode of the account''s key that acted; null when an administrator did';
      CREATE INDEX audit_log_own ON audit_log (account_id, simulated, id) WHERE simulated IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audit_log DROP simulated;
      COMMENT ON TABLE audit_log IS 'every change that an administrator made; rows outlive the accounts and keys that they name';
      COMMENT ON COLUMN audit_log.actor_id IS 'the admin key; null for the command line';
    `);
  }
}
