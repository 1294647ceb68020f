import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddConfirmationToWebhooks1795310060000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoints ADD COLUMN confirmed_at timestamptz;
      COMMENT ON COLUMN webhook_endpoints.confirmed_at IS 'first 2xx from the present url; null: it is sent no results';
      COMMENT ON COLUMN webhook_endpoints.paused_until IS 'by Retry-After, or because its host has got enough';
      UPDATE webhook_endpoints SET confirmed_at = last_success_at;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      COMMENT ON COLUMN webhook_endpoints.paused_until IS 'by Retry-After';
      ALTER TABLE webhook_endpoints DROP COLUMN confirmed_at;
    `);
  }
}
