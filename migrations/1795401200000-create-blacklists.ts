import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateBlacklists1795401200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE blacklist_health (
        list       text NOT NULL,
        kind       text NOT NULL CHECK (kind IN ('ipv4', 'ipv6', 'domain')),
        resolver   text NOT NULL,
        state      text NOT NULL CHECK (state IN ('healthy', 'refused', 'unhealthy', 'silent')),
        why        text,
        since      timestamptz NOT NULL,
        tested_at  timestamptz NOT NULL,
        PRIMARY KEY (resolver, list, kind)
      );
      COMMENT ON TABLE blacklist_health IS 'what the test points of block lists have shown, for each resolver that asked';
      COMMENT ON COLUMN blacklist_health.kind IS 'of targets: a list may work for addresses of one family only';
      COMMENT ON COLUMN blacklist_health.since IS 'when the state was first seen';

      CREATE TABLE blacklist_checks (
        id               bigint PRIMARY KEY,
        account_id       uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        simulated        boolean NOT NULL,
        results          jsonb NOT NULL,
        credits_charged  integer NOT NULL,
        latency_ms       integer NOT NULL,
        created_at       timestamptz NOT NULL
      );
      CREATE INDEX blacklist_checks_listing ON blacklist_checks (account_id, simulated, created_at DESC, id DESC);
      CREATE INDEX blacklist_checks_created_at ON blacklist_checks (created_at);
      COMMENT ON COLUMN blacklist_checks.id IS 'random, so that it does not reveal how many checks there are';
      COMMENT ON COLUMN blacklist_checks.results IS 'as they were answered';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE blacklist_health, blacklist_checks');
  }
}
