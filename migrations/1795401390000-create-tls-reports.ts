import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateTlsReports1795401390000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tls_reports (
        id             bigint PRIMARY KEY,
        monitor_id     bigint NOT NULL REFERENCES monitors ON DELETE CASCADE,
        organization   text NOT NULL,
        report_id      text NOT NULL,
        begins_at      timestamptz NOT NULL,
        ends_at        timestamptz NOT NULL,
        policies       jsonb NOT NULL,
        successful     bigint NOT NULL CHECK (successful >= 0),
        failed         bigint NOT NULL CHECK (failed >= 0),
        row_count      integer NOT NULL CHECK (row_count >= 0),
        left_out       integer NOT NULL CHECK (left_out >= 0),
        received_at    timestamptz NOT NULL,
        UNIQUE (monitor_id, organization, report_id)
      );
      CREATE INDEX tls_reports_listing ON tls_reports (monitor_id, received_at DESC, id DESC);
      CREATE INDEX tls_reports_period ON tls_reports (monitor_id, begins_at);
      CREATE INDEX tls_reports_received_at ON tls_reports (received_at);
      COMMENT ON TABLE tls_reports IS 'reports on the encryption of mail to a domain (RFC 8460): each counts once, however often it is sent';
      COMMENT ON COLUMN tls_reports.id IS 'random, so that it does not reveal how many reports there are';
      COMMENT ON COLUMN tls_reports.policies IS 'what the sender kept to, each with its sessions';
      COMMENT ON COLUMN tls_reports.row_count IS 'its failures';

      CREATE TABLE tls_failures (
        report_id        bigint NOT NULL REFERENCES tls_reports ON DELETE CASCADE,
        policy_type      text NOT NULL,
        result           text NOT NULL,
        mail_host        text,
        mail_host_address inet,
        sender_address   inet,
        reason           text,
        sessions         bigint NOT NULL CHECK (sessions > 0)
      );
      CREATE INDEX tls_failures_report ON tls_failures (report_id);
      COMMENT ON COLUMN tls_failures.reason IS 'in the words of the reporter';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tls_failures, tls_reports');
  }
}
