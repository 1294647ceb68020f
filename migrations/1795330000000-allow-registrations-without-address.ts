import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A trusted proxy may forward `unknown` (RFC 7239 section 6). */
export class AllowRegistrationsWithoutAddress1795330000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agent_registrations ALTER COLUMN client_address DROP NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE agent_registrations SET client_address = '0.0.0.0' WHERE client_address IS NULL;
      ALTER TABLE agent_registrations ALTER COLUMN client_address SET NOT NULL;
    `);
  }
}
