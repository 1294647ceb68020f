import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddReportRooms1795822260000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE dmarc_reports ADD COLUMN reporter text;
      ALTER TABLE tls_reports ADD COLUMN reporter text;
      COMMENT ON COLUMN dmarc_reports.reporter IS 'the domain in whose own room it was kept, for which its mail passed SPF; null: in that of all';
      COMMENT ON COLUMN tls_reports.reporter IS 'the domain in whose own room it was kept, for which its mail passed SPF; null: in that of all';

      ALTER TABLE report_addresses ADD COLUMN unreadable bigint NOT NULL DEFAULT 0;
      COMMENT ON COLUMN report_addresses.unreadable IS 'reports that could not be kept, ever: of the last of them unreadable_reports knows why';

      CREATE TABLE unreadable_reports (
        id             bigint PRIMARY KEY,
        monitor_id     bigint NOT NULL REFERENCES monitors ON DELETE CASCADE,
        reason         text NOT NULL,
        sender_domain  text,
        bytes          integer NOT NULL CHECK (bytes >= 0),
        received_at    timestamptz NOT NULL
      );
      CREATE INDEX unreadable_reports_listing ON unreadable_reports (monitor_id, received_at DESC, id DESC);
      CREATE INDEX unreadable_reports_received_at ON unreadable_reports (received_at);
      COMMENT ON TABLE unreadable_reports IS 'why mails to the address for reports were none; the last ones of each monitor';
      COMMENT ON COLUMN unreadable_reports.sender_domain IS 'of the envelope, as it says of itself: nobody has proven it';

      CREATE TABLE dmarc_failures (
        monitor_id     bigint NOT NULL REFERENCES monitors ON DELETE CASCADE,
        source         inet NOT NULL,
        domain         text NOT NULL,
        failure        text NOT NULL,
        delivery       text,
        dkim_domain    text,
        dkim_selector  text,
        reporter       text,
        messages       bigint NOT NULL CHECK (messages > 0),
        first_at       timestamptz NOT NULL,
        last_at        timestamptz NOT NULL,
        PRIMARY KEY (monitor_id, source, domain, failure)
      );
      CREATE INDEX dmarc_failures_last_at ON dmarc_failures (last_at);
      COMMENT ON TABLE dmarc_failures IS 'reports of single messages that failed (RFC 9991), summed by source: no address and nothing of a message';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE dmarc_failures, unreadable_reports;
      ALTER TABLE report_addresses DROP COLUMN unreadable;
      ALTER TABLE tls_reports DROP COLUMN reporter;
      ALTER TABLE dmarc_reports DROP COLUMN reporter;
    `);
  }
}
