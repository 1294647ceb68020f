import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreatePlacement1795401300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE placement_tests (
        id               bigint PRIMARY KEY,
        account_id       uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        simulated        boolean NOT NULL,
        key_id           uuid NOT NULL,
        token            text NOT NULL UNIQUE,
        name             text,
        seeds            jsonb NOT NULL,
        world            text,
        state            text NOT NULL CHECK (state IN ('waiting', 'receiving', 'completed', 'expired', 'cancelled')),
        reservation_id   uuid,
        credits_reserved integer NOT NULL CHECK (credits_reserved >= 0),
        credits_charged  integer NOT NULL DEFAULT 0 CHECK (credits_charged >= 0),
        settle_minutes   integer NOT NULL,
        messages         integer NOT NULL DEFAULT 0,
        attempts         integer NOT NULL DEFAULT 0,
        report           jsonb,
        placement        jsonb,
        created_at       timestamptz NOT NULL,
        expires_at       timestamptz NOT NULL,
        first_arrival_at timestamptz,
        settled_at       timestamptz,
        due_at           timestamptz,
        CHECK ((due_at IS NOT NULL) = (state IN ('waiting', 'receiving'))),
        CHECK ((settled_at IS NULL) = (state IN ('waiting', 'receiving')))
      );
      CREATE INDEX placement_tests_listing ON placement_tests (account_id, simulated, created_at DESC, id DESC);
      CREATE INDEX placement_tests_due ON placement_tests (due_at) WHERE due_at IS NOT NULL;
      CREATE INDEX placement_tests_created_at ON placement_tests (created_at);
      COMMENT ON COLUMN placement_tests.id IS 'random, so that it does not reveal how many tests there are';
      COMMENT ON COLUMN placement_tests.token IS 'in the address and the marker of the test; who knows it may send to the test';
      COMMENT ON COLUMN placement_tests.seeds IS 'as it was asked for: "all", "none" or a list of providers';
      COMMENT ON COLUMN placement_tests.world IS 'the mail world that plays the test, in test mode; null: a mail is waited for';
      COMMENT ON COLUMN placement_tests.reservation_id IS 'of its credits; null in test mode, which charges nothing';
      COMMENT ON COLUMN placement_tests.messages IS 'mails that came; the first is kept and judged';
      COMMENT ON COLUMN placement_tests.attempts IS 'looks at the test since it last went on: a message that ends processes is given up';
      COMMENT ON COLUMN placement_tests.report IS 'what the own copy told, as it is answered; null: not yet, or it could not be made';
      COMMENT ON COLUMN placement_tests.placement IS 'what the seeds told at the end, as it is answered; null: no seeds';
      COMMENT ON COLUMN placement_tests.due_at IS 'when a worker looks at it next; the one that does moves it ahead first, so that another comes when it dies';

      CREATE TABLE placement_messages (
        test_id        bigint PRIMARY KEY REFERENCES placement_tests ON DELETE CASCADE,
        received_at    timestamptz NOT NULL,
        mail_from      text NOT NULL,
        recipient      text NOT NULL,
        client_address text NOT NULL,
        client_name    text NOT NULL,
        tls            text,
        size           integer NOT NULL,
        raw            bytea NOT NULL
      );
      CREATE INDEX placement_messages_received_at ON placement_messages (received_at);
      COMMENT ON TABLE placement_messages IS 'the own copy of the mail of a test, for 7 days';
      COMMENT ON COLUMN placement_messages.mail_from IS 'of the envelope; empty for a bounce';
      COMMENT ON COLUMN placement_messages.client_name IS 'what the client called itself in HELO or EHLO';
      COMMENT ON COLUMN placement_messages.tls IS 'the version of TLS by which it came; null: in clear';
      COMMENT ON COLUMN placement_messages.raw IS 'gzip, as it came';
      ALTER TABLE placement_messages ALTER COLUMN raw SET STORAGE EXTERNAL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE placement_messages, placement_tests');
  }
}
