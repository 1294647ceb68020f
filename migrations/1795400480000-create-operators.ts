import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateOperators1795400480000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE operator_pauses (
        operator   text PRIMARY KEY,
        reason     text NOT NULL,
        paused_by  text NOT NULL,
        paused_at  timestamptz NOT NULL,
        ends_at    timestamptz
      );
      COMMENT ON TABLE operator_pauses IS 'mail operators to which nobody connects';
      COMMENT ON COLUMN operator_pauses.ends_at IS 'null: until an administrator resumes it';

      CREATE TABLE operator_circuits (
        process_id    uuid NOT NULL,
        operator      text NOT NULL,
        source        text NOT NULL,
        address       text NOT NULL,
        refusals      integer NOT NULL,
        open_until    timestamptz NOT NULL,
        last_refusal  text NOT NULL,
        seen_at       timestamptz NOT NULL,
        PRIMARY KEY (process_id, operator, source, address)
      );
      COMMENT ON TABLE operator_circuits IS 'mail operators that refuse a process of ours at a source';
      COMMENT ON COLUMN operator_circuits.address IS 'our own address at the source; empty where a proxy connects for us';
      COMMENT ON COLUMN operator_circuits.last_refusal IS 'its codes; its text may hold a recipient';
      COMMENT ON COLUMN operator_circuits.seen_at IS 'told again while it is so: what is old is of a process that is gone';

      CREATE TABLE port25_states (
        process_id   uuid PRIMARY KEY,
        machine      text NOT NULL,
        state        text NOT NULL CHECK (state IN ('open', 'blocked')),
        since        timestamptz NOT NULL,
        answered_at  timestamptz,
        seen_at      timestamptz NOT NULL
      );
      COMMENT ON TABLE port25_states IS 'whether connections to mail hosts leave the machine of a process';
      COMMENT ON COLUMN port25_states.answered_at IS 'null: no mail host has answered the process';
      COMMENT ON COLUMN port25_states.seen_at IS 'told again while it is so: what is old is of a process that is gone';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE operator_pauses, operator_circuits, port25_states');
  }
}
