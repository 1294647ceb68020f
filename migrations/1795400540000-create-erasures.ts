import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateErasures1795400540000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE erasures (
        id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        account_id   uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        simulated    boolean NOT NULL,
        address      bytea,
        suppressed   boolean NOT NULL,
        state        text NOT NULL CHECK (state IN ('working', 'waiting', 'done', 'failed')),
        batches      integer NOT NULL DEFAULT 0,
        rows         integer NOT NULL DEFAULT 0,
        bodies       integer NOT NULL DEFAULT 0,
        answers      integer NOT NULL DEFAULT 0,
        kept_replies integer NOT NULL DEFAULT 0,
        verdicts     integer NOT NULL DEFAULT 0,
        suppressions integer NOT NULL DEFAULT 0,
        agents       integer NOT NULL DEFAULT 0,
        names        integer NOT NULL DEFAULT 0,
        acts         integer NOT NULL DEFAULT 0,
        created_at   timestamptz NOT NULL,
        looked_at    timestamptz,
        due_at       timestamptz NOT NULL,
        stepped_at   timestamptz,
        failures     integer NOT NULL DEFAULT 0,
        failure      text CHECK (failure IN ('address_unreadable', 'steps_failed')),
        finished_at  timestamptz,
        CHECK ((finished_at IS NULL) = (state IN ('working', 'waiting'))),
        CHECK ((finished_at IS NULL) = (address IS NOT NULL)),
        CHECK ((failure IS NULL) = (state <> 'failed'))
      );
      CREATE INDEX erasures_due ON erasures (due_at) WHERE finished_at IS NULL;
      CREATE INDEX erasures_turns ON erasures (account_id, stepped_at);
      CREATE INDEX erasures_by_time ON erasures (created_at, id);
      CREATE INDEX erasures_listing ON erasures (account_id, simulated, created_at, id);
      CREATE INDEX erasures_of_account ON erasures (account_id, simulated) WHERE finished_at IS NULL;
      COMMENT ON TABLE erasures IS 'addresses that leave everything of an account; afterwards the receipts, without the addresses';
      COMMENT ON COLUMN erasures.address IS 'sealed with SECRETS_KEY; null once the work is over';
      COMMENT ON COLUMN erasures.state IS 'waiting: for batches that still run; failed: for the reason in failure';
      COMMENT ON COLUMN erasures.rows IS 'of batches';
      COMMENT ON COLUMN erasures.bodies IS 'of webhooks';
      COMMENT ON COLUMN erasures.answers IS 'of receivers of webhooks';
      COMMENT ON COLUMN erasures.agents IS 'claimed ones that named the address at their registration';
      COMMENT ON COLUMN erasures.names IS 'of accounts, keys and browsers';
      COMMENT ON COLUMN erasures.acts IS 'entries of the audit log that have lost a text';
      COMMENT ON COLUMN erasures.looked_at IS 'when all but batches was looked through for the first time; it is once more at the end';
      COMMENT ON COLUMN erasures.due_at IS 'no process looks again before';
      COMMENT ON COLUMN erasures.stepped_at IS 'when a step of it was done or has failed last: the account whose newest is the oldest comes next';
      COMMENT ON COLUMN erasures.failures IS 'steps in a row that have failed';
      COMMENT ON COLUMN erasures.failure IS 'address_unreadable: nothing can open it any more; steps_failed: for days';

      CREATE TABLE erasure_batches (
        erasure_id uuid NOT NULL REFERENCES erasures ON DELETE CASCADE,
        batch_id   bigint NOT NULL,
        PRIMARY KEY (erasure_id, batch_id)
      );
      COMMENT ON TABLE erasure_batches IS 'batches that an erasure has not looked through yet';
      COMMENT ON COLUMN erasure_batches.batch_id IS 'no foreign key: the deletion of a batch has nothing to do with it';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE erasure_batches, erasures');
  }
}
