import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateLists1795400600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE list_schedules (
        list_id           bigint PRIMARY KEY REFERENCES batches ON DELETE CASCADE,
        account_id        uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        simulated         boolean NOT NULL,
        key_id            uuid NOT NULL,
        every_days        integer NOT NULL CHECK (every_days > 0),
        verdicts          text[],
        reuse_days        integer NOT NULL,
        max_credits       integer,
        enabled           boolean NOT NULL,
        created_at        timestamptz NOT NULL,
        next_run_at       timestamptz NOT NULL,
        running_batch_id  bigint,
        running_source_id bigint,
        last_run_at       timestamptz,
        last_run_status   text CHECK (last_run_status IN ('running', 'completed', 'skipped', 'failed')),
        last_run_reason   text,
        last_run_batch_id bigint,
        last_run_changed  integer
      );
      CREATE INDEX list_schedules_due ON list_schedules (next_run_at) WHERE enabled AND running_batch_id IS NULL;
      CREATE INDEX list_schedules_running ON list_schedules (running_batch_id) WHERE running_batch_id IS NOT NULL;
      CREATE INDEX list_schedules_of_account ON list_schedules (account_id, simulated);
      COMMENT ON TABLE list_schedules IS 'lists that are verified again and again';
      COMMENT ON COLUMN list_schedules.key_id IS 'the key that orders its runs';
      COMMENT ON COLUMN list_schedules.verdicts IS 'answers that are asked for again, besides unknown; null: all';
      COMMENT ON COLUMN list_schedules.running_batch_id IS 'set in the transaction that queues the batch of a run, and null again in the one that compares it';
      COMMENT ON COLUMN list_schedules.running_source_id IS 'the version that the run is compared with';

      CREATE TABLE list_changes (
        batch_id       bigint NOT NULL REFERENCES batches ON DELETE CASCADE,
        ref            integer NOT NULL,
        before_verdict text NOT NULL,
        before_reason  text NOT NULL,
        after_verdict  text NOT NULL,
        after_reason   text NOT NULL,
        PRIMARY KEY (batch_id, ref)
      );
      COMMENT ON TABLE list_changes IS 'what a run found changed, without addresses: those are in the chunks of its batch';
      COMMENT ON COLUMN list_changes.ref IS 'place of the address in the batch: chunk * 1000 + offset';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE list_changes, list_schedules');
  }
}
