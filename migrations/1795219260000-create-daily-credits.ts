import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateDailyCredits1795219260000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE agent_daily_usage (
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        utc_date   date NOT NULL,
        used       integer NOT NULL CHECK (used >= 0),
        PRIMARY KEY (account_id, utc_date)
      );

      CREATE TABLE agent_daily_pool (
        utc_date date PRIMARY KEY,
        used     integer NOT NULL CHECK (used >= 0)
      );

      CREATE TABLE credit_reservations (
        id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        utc_date   date NOT NULL,
        amount     integer NOT NULL CHECK (amount > 0),
        created_at timestamptz NOT NULL,
        lapses_at  timestamptz NOT NULL
      );
      CREATE INDEX credit_reservations_lapsing ON credit_reservations (lapses_at);
      COMMENT ON TABLE credit_reservations IS 'credits taken for work that still runs; a row past lapses_at belonged to a process that died';
      COMMENT ON COLUMN credit_reservations.utc_date IS 'the day whose allowance and pool the credits came from';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE credit_reservations, agent_daily_pool, agent_daily_usage');
  }
}
