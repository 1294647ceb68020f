import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateCreditLedger1795258800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE credit_balances (
        account_id   uuid PRIMARY KEY REFERENCES accounts,
        available    bigint NOT NULL DEFAULT 0 CHECK (available >= 0),
        reserved     bigint NOT NULL DEFAULT 0 CHECK (reserved >= 0),
        used_total   bigint NOT NULL DEFAULT 0 CHECK (used_total >= 0),
        free_granted bigint NOT NULL DEFAULT 0 CHECK (free_granted >= 0),
        entries      bigint NOT NULL DEFAULT 0
      );
      COMMENT ON COLUMN credit_balances.available IS 'the sum of the account''s ledger';
      COMMENT ON COLUMN credit_balances.reserved IS 'taken from available for work that still runs: the sum of the account''s reservations';
      COMMENT ON COLUMN credit_balances.entries IS 'number of the account''s last ledger entry';

      CREATE TABLE credit_ledger (
        account_id     uuid NOT NULL,
        number         bigint NOT NULL,
        created_at     timestamptz NOT NULL,
        kind           text NOT NULL,
        amount         bigint NOT NULL,
        balance_after  bigint NOT NULL CHECK (balance_after >= 0),
        purpose        text NOT NULL,
        key_id         uuid,
        reservation_id uuid,
        actor          text,
        PRIMARY KEY (account_id, number),
        CHECK (CASE kind WHEN 'grant' THEN amount > 0 WHEN 'release' THEN amount > 0
                         WHEN 'reserve' THEN amount < 0 WHEN 'charge' THEN amount < 0
                         WHEN 'adjust' THEN amount <> 0 ELSE false END)
      );
      COMMENT ON TABLE credit_ledger IS 'every change of every balance; no foreign key, since only the statement that changes a balance writes here';
      COMMENT ON COLUMN credit_ledger.number IS 'counts the account''s entries from 1 without a gap';
      COMMENT ON COLUMN credit_ledger.actor IS 'who granted or adjusted';

      CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          RAISE EXCEPTION 'the credit ledger is only ever added to';
        END
      $$;
      CREATE TRIGGER credit_ledger_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON credit_ledger
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();

      ALTER TABLE credit_reservations ALTER utc_date DROP NOT NULL, ADD key_id uuid, ADD purpose text,
        DROP CONSTRAINT credit_reservations_amount_check, ADD CHECK (amount >= 0);
      COMMENT ON COLUMN credit_reservations.utc_date IS
        'the day whose allowance and pool the credits came from; null: they came from the account''s balance';
      COMMENT ON COLUMN credit_reservations.amount IS 'what is left of it: work of many parts is charged part by part';
      COMMENT ON COLUMN credit_reservations.lapses_at IS 'infinity for work that outlives its process';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM credit_reservations WHERE utc_date IS NULL OR amount = 0;
      ALTER TABLE credit_reservations DROP purpose, DROP key_id, ALTER utc_date SET NOT NULL,
        DROP CONSTRAINT credit_reservations_amount_check, ADD CHECK (amount > 0);
      COMMENT ON COLUMN credit_reservations.utc_date IS 'the day whose allowance and pool the credits came from';
      COMMENT ON COLUMN credit_reservations.amount IS NULL;
      COMMENT ON COLUMN credit_reservations.lapses_at IS NULL;
      DROP TABLE credit_ledger;
      DROP FUNCTION refuse_ledger_change;
      DROP TABLE credit_balances;
    `);
  }
}
