import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddWebhookSlowness1795276860000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoints ADD slow boolean NOT NULL DEFAULT false;
      COMMENT ON COLUMN webhook_endpoints.slow IS
        'its last attempt failed or took long: it shares few places with others like it, so that quick ones never wait for it';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_endpoints DROP slow');
  }
}
