import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateOperatorMeasures1795823250000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE operator_measures (
        operator           text PRIMARY KEY,
        asked_at           timestamptz NOT NULL,
        accepted_in_a_row  smallint NOT NULL DEFAULT 0,
        accepts_all_since  timestamptz,
        answered_at        timestamptz,
        domain             text,
        mail_host          text,
        reply              text
      );
      COMMENT ON TABLE operator_measures IS 'what mail operators that are believed to refuse unknown names answer to made-up ones';
      COMMENT ON COLUMN operator_measures.asked_at IS 'the turn of an hour, which one process has taken; it may have got no answer';
      COMMENT ON COLUMN operator_measures.accepted_in_a_row IS 'at most 2: then an acceptance proves nothing';
      COMMENT ON COLUMN operator_measures.accepts_all_since IS 'null: it is believed';
      COMMENT ON COLUMN operator_measures.answered_at IS 'the last answer that was an acceptance or a refusal of the name, as are domain, host and reply; null: none was';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE operator_measures');
  }
}
