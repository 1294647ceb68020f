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
        created_at   timestamptz NOT NULL,
        looked_at    timestamptz,
        due_at       timestamptz NOT NULL,
        failures     integer NOT NULL DEFAULT 0,
        finished_at  timestamptz,
        CHECK ((finished_at IS NULL) = (state IN ('working', 'waiting'))),
        CHECK ((finished_at IS NULL) = (address IS NOT NULL))
      );
      CREATE INDEX erasures_due ON erasures (due_at) WHERE finished_at IS NULL;
      CREATE INDEX erasures_of_account ON erasures (account_id, simulated) WHERE finished_at IS NULL;
      COMMENT ON TABLE erasures IS 'addresses that leave everything of an account; afterwards the receipts, without the addresses';
      COMMENT ON COLUMN erasures.address IS 'sealed with SECRETS_KEY; null once the work is over';
      COMMENT ON COLUMN erasures.state IS 'waiting: for batches that still run; failed: nothing can open the address any more';
      COMMENT ON COLUMN erasures.rows IS 'of batches';
      COMMENT ON COLUMN erasures.bodies IS 'of webhooks';
      COMMENT ON COLUMN erasures.answers IS 'of receivers of webhooks';
      COMMENT ON COLUMN erasures.agents IS 'claimed ones that named the address at their registration';
      COMMENT ON COLUMN erasures.looked_at IS 'when all but batches was looked through for the first time; it is once more at the end';
      COMMENT ON COLUMN erasures.due_at IS 'no process looks again before';
      COMMENT ON COLUMN erasures.failures IS 'steps in a row that have failed';

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
