import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateSources1795400780000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE source_rests (
        source        text PRIMARY KEY,
        reason        text NOT NULL,
        since         timestamptz NOT NULL,
        clean_checks  integer NOT NULL
      );
      COMMENT ON TABLE source_rests IS 'sending addresses of ours that rest by themselves, since a block list has them';
      COMMENT ON COLUMN source_rests.clean_checks IS 'in a row; the second one ends the rest';

      CREATE TABLE source_checks (
        source      text NOT NULL,
        check_name  text NOT NULL,
        state       text NOT NULL CHECK (state IN ('pass', 'fail', 'unknown')),
        told        text NOT NULL,
        checked_at  timestamptz NOT NULL,
        PRIMARY KEY (source, check_name)
      );
      COMMENT ON TABLE source_checks IS 'what mail hosts look at of a sending address of ours, as the last check has found it';

      CREATE TABLE source_looks (
        source     text PRIMARY KEY,
        identity   text NOT NULL,
        looked_at  timestamptz NOT NULL
      );
      COMMENT ON TABLE source_looks IS 'when a sending address of ours was looked at last, or a process began to';
      COMMENT ON COLUMN source_looks.identity IS 'JSON of what it was then: address, proxy, HELO name, MAIL FROM';

      CREATE TABLE source_listings (
        source   text NOT NULL,
        list     text NOT NULL,
        address  text NOT NULL,
        told     text NOT NULL,
        harmful  boolean NOT NULL,
        since    timestamptz NOT NULL,
        seen_at  timestamptz NOT NULL,
        PRIMARY KEY (source, list, address)
      );
      COMMENT ON TABLE source_listings IS 'block lists that have a sending address of ours';

      CREATE TABLE source_reports (
        process_id     uuid NOT NULL,
        source         text NOT NULL,
        machine        text NOT NULL,
        resting_until  timestamptz,
        fault          text,
        port_25        text NOT NULL CHECK (port_25 IN ('open', 'blocked', 'unknown')),
        seen_at        timestamptz NOT NULL,
        PRIMARY KEY (process_id, source)
      );
      COMMENT ON TABLE source_reports IS 'what a process has seen of a sending address of ours';
      COMMENT ON COLUMN source_reports.resting_until IS 'null: neither the address nor its proxy has a fault';
      COMMENT ON COLUMN source_reports.seen_at IS 'told again while it is so: what is old is of a process that is gone';

      CREATE TABLE source_refusals (
        hour        timestamptz NOT NULL,
        source      text NOT NULL,
        operator    text NOT NULL,
        kind        text NOT NULL CHECK (kind IN ('ip_blocked', 'rate_limited', 'sender_rejected', 'greylisted')),
        refusals    bigint NOT NULL,
        last_reply  text NOT NULL,
        last_text   text NOT NULL CHECK (octet_length(last_text) <= 512),
        last_at     timestamptz NOT NULL,
        PRIMARY KEY (hour, source, operator, kind)
      );
      COMMENT ON TABLE source_refusals IS 'what mail operators refused our sending addresses, by hours of the last day';
      COMMENT ON COLUMN source_refusals.operator IS 'other: one of very many without a row of their own';
      COMMENT ON COLUMN source_refusals.last_text IS 'what the mail host wrote, on one line and without addresses';

      CREATE TABLE source_watch (
        only_row      boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        due_at        timestamptz NOT NULL,
        leased_by     uuid,
        leased_until  timestamptz
      );
      COMMENT ON TABLE source_watch IS 'when our sending addresses are looked at next, and which process does it';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE source_rests, source_checks, source_looks, source_listings, source_reports, source_refusals, source_watch',
    );
  }
}
