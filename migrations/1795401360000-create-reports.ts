import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateReports1795401360000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE report_addresses (
        monitor_id   bigint PRIMARY KEY REFERENCES monitors ON DELETE CASCADE,
        challenge    text NOT NULL,
        token        text NOT NULL UNIQUE,
        created_at   timestamptz NOT NULL,
        verified_at  timestamptz
      );
      COMMENT ON TABLE report_addresses IS 'monitors of domains that asked for an address to which reports are sent';
      COMMENT ON COLUMN report_addresses.challenge IS 'what the owner of the domain publishes to prove it; another account has another one';
      COMMENT ON COLUMN report_addresses.verified_at IS 'null: it is not proven whose the domain is, and mail is refused';

      CREATE TABLE dmarc_reports (
        id             bigint PRIMARY KEY,
        monitor_id     bigint NOT NULL REFERENCES monitors ON DELETE CASCADE,
        domain         text NOT NULL,
        organization   text NOT NULL,
        report_id      text NOT NULL,
        form           text NOT NULL CHECK (form IN ('rfc7489', 'rfc9990')),
        generator      text,
        begins_at      timestamptz NOT NULL,
        ends_at        timestamptz NOT NULL,
        policy         jsonb NOT NULL,
        messages       bigint NOT NULL CHECK (messages >= 0),
        passed         bigint NOT NULL CHECK (passed BETWEEN 0 AND messages),
        row_count      integer NOT NULL CHECK (row_count >= 0),
        records_left_out integer NOT NULL CHECK (records_left_out >= 0),
        received_at    timestamptz NOT NULL,
        UNIQUE (monitor_id, domain, organization, report_id)
      );
      CREATE INDEX dmarc_reports_listing ON dmarc_reports (monitor_id, received_at DESC, id DESC);
      CREATE INDEX dmarc_reports_period ON dmarc_reports (monitor_id, begins_at);
      CREATE INDEX dmarc_reports_received_at ON dmarc_reports (received_at);
      COMMENT ON TABLE dmarc_reports IS 'aggregate reports (RFC 9990): each counts once, however often it is sent';
      COMMENT ON COLUMN dmarc_reports.id IS 'random, so that it does not reveal how many reports there are';
      COMMENT ON COLUMN dmarc_reports.domain IS 'the domain of the monitor, or one below it';
      COMMENT ON COLUMN dmarc_reports.policy IS 'as the reporter read it';

      CREATE TABLE dmarc_rows (
        report_id     bigint NOT NULL REFERENCES dmarc_reports ON DELETE CASCADE,
        source        inet NOT NULL,
        messages      bigint NOT NULL CHECK (messages > 0),
        disposition   text NOT NULL,
        dkim_aligned  boolean NOT NULL,
        spf_aligned   boolean NOT NULL,
        header_from   text NOT NULL,
        dkim_result   text,
        dkim_domain   text,
        spf_result    text,
        spf_domain    text,
        override      text
      );
      CREATE INDEX dmarc_rows_report ON dmarc_rows (report_id);

      CREATE TABLE dmarc_sources (
        monitor_id     bigint NOT NULL REFERENCES monitors ON DELETE CASCADE,
        source         inet NOT NULL,
        messages       bigint NOT NULL CHECK (messages >= 0),
        first_seen_at  timestamptz NOT NULL,
        last_seen_at   timestamptz NOT NULL,
        known_at       timestamptz,
        PRIMARY KEY (monitor_id, source)
      );
      CREATE INDEX dmarc_sources_last_seen_at ON dmarc_sources (last_seen_at);
      COMMENT ON TABLE dmarc_sources IS 'addresses that sent in the name of a domain, so that each is told once';
      COMMENT ON COLUMN dmarc_sources.known_at IS 'when its owner was told, or it was seen while the domain was learned; null: too few messages yet';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE dmarc_sources, dmarc_rows, dmarc_reports, report_addresses');
  }
}
