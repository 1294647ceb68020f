import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreatePlacementSeeds1795401330000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE placement_seeds (
        id               uuid PRIMARY KEY,
        provider         text NOT NULL,
        address          text NOT NULL UNIQUE,
        host             text NOT NULL,
        port             integer NOT NULL CHECK (port BETWEEN 1 AND 65535),
        security         text NOT NULL CHECK (security IN ('tls', 'starttls', 'none')),
        login            text NOT NULL,
        authserv_id      text,
        credentials      bytea NOT NULL,
        state            text NOT NULL CHECK (state IN ('on', 'off')),
        why              text,
        failures         integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
        created_at       timestamptz NOT NULL,
        changed_at       timestamptz NOT NULL,
        last_ok_at       timestamptz,
        checked_at       timestamptz,
        check_due_at     timestamptz NOT NULL,
        paused_until     timestamptz,
        lease_owner      uuid,
        lease_expires_at timestamptz,
        CHECK ((lease_owner IS NULL) = (lease_expires_at IS NULL))
      );
      COMMENT ON TABLE placement_seeds IS 'mailboxes of the operator at mail operators';
      COMMENT ON COLUMN placement_seeds.authserv_id IS 'whose Authentication-Results are believed, where the provider has no row that says it';
      COMMENT ON COLUMN placement_seeds.credentials IS 'sealed';
      COMMENT ON COLUMN placement_seeds.why IS 'of the last failure, or of the one who turned it off';
      COMMENT ON COLUMN placement_seeds.failures IS 'health checks in a row that could not read it';
      COMMENT ON COLUMN placement_seeds.check_due_at IS 'when its health is checked next';
      COMMENT ON COLUMN placement_seeds.paused_until IS 'it is not connected to before';
      COMMENT ON COLUMN placement_seeds.lease_owner IS 'the worker that reads it: nobody else connects to it meanwhile';

      CREATE TABLE placement_arrivals (
        test_id        bigint NOT NULL REFERENCES placement_tests ON DELETE CASCADE,
        seed_id        uuid NOT NULL REFERENCES placement_seeds ON DELETE CASCADE,
        placement      text CHECK (placement IN ('inbox', 'tab', 'spam', 'other_folder')),
        tab            text,
        matched_by     text CHECK (matched_by IN ('recipient', 'header', 'subject', 'body', 'message_id', 'from_and_subject')),
        arrived_at     timestamptz,
        authentication jsonb,
        evidence       jsonb,
        looks          integer NOT NULL DEFAULT 0,
        base_at        timestamptz,
        looked_at      timestamptz,
        fault          text,
        due_at         timestamptz,
        PRIMARY KEY (test_id, seed_id),
        CHECK ((placement IS NULL) = (matched_by IS NULL) AND (placement IS NULL) = (arrived_at IS NULL)),
        CHECK ((tab IS NOT NULL) = (placement IS NOT NULL AND placement = 'tab'))
      );
      CREATE INDEX placement_arrivals_due ON placement_arrivals (seed_id, due_at) WHERE due_at IS NOT NULL;
      COMMENT ON TABLE placement_arrivals IS 'one for each test and seed, written with the test';
      COMMENT ON COLUMN placement_arrivals.placement IS 'null: not found, so far or at all';
      COMMENT ON COLUMN placement_arrivals.arrived_at IS 'as the mailbox has it';
      COMMENT ON COLUMN placement_arrivals.authentication IS 'what the provider itself says of SPF, DKIM and DMARC';
      COMMENT ON COLUMN placement_arrivals.evidence IS 'headers of the provider''s filters, as they came';
      COMMENT ON COLUMN placement_arrivals.looks IS 'since base_at, or since the test was made';
      COMMENT ON COLUMN placement_arrivals.base_at IS 'the first arrival of the test, once looks are counted from there';
      COMMENT ON COLUMN placement_arrivals.looked_at IS 'when the mailbox was last read';
      COMMENT ON COLUMN placement_arrivals.fault IS 'why the last look could not read it; null: it did';
      COMMENT ON COLUMN placement_arrivals.due_at IS 'the next look; null: there is none any more';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE placement_arrivals, placement_seeds');
  }
}
