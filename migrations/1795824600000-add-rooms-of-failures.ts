import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddRoomsOfFailures1795824600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE failure_arrivals (
        monitor_id   bigint NOT NULL REFERENCES monitors ON DELETE CASCADE,
        reporter     text,
        row_count    integer NOT NULL CHECK (row_count >= 0),
        received_at  timestamptz NOT NULL
      );
      CREATE INDEX failure_arrivals_monitor ON failure_arrivals (monitor_id, received_at);
      CREATE INDEX failure_arrivals_received_at ON failure_arrivals (received_at);
      COMMENT ON TABLE failure_arrivals IS 'reports of single messages that were counted in dmarc_failures in the last day: how many a domain takes';
      COMMENT ON COLUMN failure_arrivals.reporter IS 'the domain in whose own room it was counted, for which its mail passed SPF or DKIM; null: in that of all';

      ALTER TABLE unreadable_reports ADD COLUMN reporter text;
      COMMENT ON COLUMN unreadable_reports.reporter IS 'the domain for which its mail passed SPF or DKIM, and in whose own room it is listed; null: in that of all';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE unreadable_reports DROP COLUMN reporter;
      DROP TABLE failure_arrivals;
    `);
  }
}
