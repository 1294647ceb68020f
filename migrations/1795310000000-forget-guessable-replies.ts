import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ForgetGuessableReplies1795310000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Whoever had a copy and guessed the Idempotency-Key could open them. What is left says that the work was done.
    await runner.query(`
      UPDATE idempotency_keys SET reply = '' WHERE reply IS NOT NULL;
      COMMENT ON COLUMN idempotency_keys.reply IS 'sealed with SECRETS_KEY; empty: was sealed with less, and is forgotten';
    `);
  }

  /** An older version cannot open what this one has kept, either. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      COMMENT ON COLUMN idempotency_keys.reply IS 'the reply, sealed with the Idempotency-Key, which is stored nowhere';
    `);
  }
}
