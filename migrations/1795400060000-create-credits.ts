import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateCredits1795400060000 implements MigrationInterface {
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
        used     integer NOT NULL CHECK (used >= 0),
        capacity integer CHECK (capacity >= 0)
      );
      COMMENT ON COLUMN agent_daily_pool.capacity IS 'set by an administrator for this day; null: AGENT_DAILY_CAPACITY';

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
        batch_id       bigint,
        ceiling_id     uuid,
        actor          text,
        PRIMARY KEY (account_id, number),
        CHECK (CASE kind WHEN 'grant' THEN amount > 0 WHEN 'release' THEN amount > 0
                         WHEN 'reserve' THEN amount < 0 WHEN 'charge' THEN amount < 0
                         WHEN 'adjust' THEN amount <> 0 ELSE false END)
      );
      CREATE INDEX credit_ledger_by_key ON credit_ledger (account_id, key_id, number) WHERE key_id IS NOT NULL;
      CREATE INDEX credit_ledger_by_batch ON credit_ledger (account_id, batch_id, number) WHERE batch_id IS NOT NULL;
      CREATE INDEX credit_ledger_given ON credit_ledger (account_id, number) WHERE kind IN ('grant', 'adjust');
      COMMENT ON TABLE credit_ledger IS 'every change of every balance; no foreign key, since only the statement that changes a balance writes here';
      COMMENT ON COLUMN credit_ledger.number IS 'counts the account''s entries from 1 without a gap';
      COMMENT ON COLUMN credit_ledger.batch_id IS 'the batch, and the list that it becomes, for which the entry is; it may be deleted';
      COMMENT ON COLUMN credit_ledger.ceiling_id IS 'the ceilings of the key on which the credits count';
      COMMENT ON COLUMN credit_ledger.actor IS 'who granted or adjusted';

      CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          RAISE EXCEPTION 'the credit ledger is only ever added to';
        END
      $$;
      CREATE TRIGGER credit_ledger_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON credit_ledger
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();

      CREATE TABLE credit_reservations (
        id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        key_id     uuid,
        purpose    text,
        batch_id   bigint,
        utc_date   date,
        amount     integer NOT NULL CHECK (amount >= 0),
        created_at timestamptz NOT NULL,
        expires_at timestamptz,
        ceiling_id uuid,
        ceiling_date date,
        paid_part_id uuid,
        CHECK ((ceiling_id IS NULL) = (ceiling_date IS NULL))
      );
      CREATE INDEX credit_reservations_of_day ON credit_reservations (account_id, utc_date) WHERE utc_date IS NOT NULL;
      CREATE INDEX credit_reservations_expiring ON credit_reservations (expires_at) WHERE expires_at IS NOT NULL;
      COMMENT ON TABLE credit_reservations IS 'credits taken for work that still runs; a row past expires_at belonged to a process that died';
      COMMENT ON COLUMN credit_reservations.utc_date IS 'the day whose allowance and pool the credits came from; null: they came from the account''s balance';
      COMMENT ON COLUMN credit_reservations.ceiling_id IS 'the ceilings of the key, on which the credits were counted on ceiling_date; null: it had none';
      COMMENT ON COLUMN credit_reservations.paid_part_id IS 'of free credits: the reservation that pays for the rest of the same batch of a claimed agent, once these are used up';
      COMMENT ON COLUMN credit_reservations.amount IS 'what is left of it: work of many parts is charged part by part';
      COMMENT ON COLUMN credit_reservations.expires_at IS 'null for work that outlives its process';

      CREATE TABLE usage_days (
        account_id   uuid NOT NULL,
        utc_date     date NOT NULL,
        key_id       uuid NOT NULL,
        endpoint     text NOT NULL,
        verdict      text NOT NULL,
        reason       text NOT NULL,
        simulated    boolean NOT NULL,
        items        bigint NOT NULL CHECK (items >= 0),
        credits      bigint NOT NULL CHECK (credits >= 0),
        free_credits bigint NOT NULL CHECK (free_credits >= 0),
        PRIMARY KEY (account_id, utc_date, key_id, endpoint, verdict, reason)
      );
      COMMENT ON TABLE usage_days IS 'what was done and charged on a day, written by the statement that charges; rows outlive the keys that they name';
      COMMENT ON COLUMN usage_days.credits IS 'charged to the balance: the sum of an account is what its ledger charges';
      COMMENT ON COLUMN usage_days.free_credits IS 'charged to the daily allowance of an agent';

      CREATE TABLE usage_refusals (
        account_id uuid NOT NULL,
        utc_date   date NOT NULL,
        key_id     uuid NOT NULL,
        status     smallint NOT NULL CHECK (status IN (402, 429)),
        simulated  boolean NOT NULL,
        refusals   bigint NOT NULL CHECK (refusals > 0),
        PRIMARY KEY (account_id, utc_date, key_id, status)
      );
      CREATE TABLE ledger_sums (
        account_id uuid PRIMARY KEY,
        number     bigint NOT NULL,
        sum        bigint NOT NULL
      );
      COMMENT ON TABLE ledger_sums IS 'how far the ledger of an account has been added up, so that only newer entries are read to compare it with the balance';

      CREATE TABLE ledger_drift (
        singleton   boolean PRIMARY KEY DEFAULT true CHECK (singleton),
        credits     bigint NOT NULL,
        accounts    integer NOT NULL,
        measured_at timestamptz NOT NULL
      );
      COMMENT ON TABLE ledger_drift IS 'by how much ledgers and balances differed when they were compared last; one row';
      COMMENT ON TABLE usage_refusals IS 'requests refused for want of credits, or for their rate; counted in memory and written now and then';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE ledger_drift, ledger_sums, usage_refusals, usage_days, credit_reservations, credit_ledger, credit_balances, agent_daily_pool, agent_daily_usage;
      DROP FUNCTION refuse_ledger_change;
    `);
  }
}
