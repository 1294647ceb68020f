import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateBlacklistSwitches1795401215000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE blacklists_off (
        list    text PRIMARY KEY,
        reason  text NOT NULL,
        by      text NOT NULL,
        since   timestamptz NOT NULL
      );
      COMMENT ON TABLE blacklists_off IS 'block lists that administrators have turned off: nobody asks them';

      CREATE TABLE blacklist_health_history (
        resolver  text NOT NULL,
        list      text NOT NULL,
        kind      text NOT NULL CHECK (kind IN ('ipv4', 'ipv6', 'domain')),
        state     text NOT NULL CHECK (state IN ('healthy', 'refused', 'unhealthy', 'silent')),
        why       text,
        at        timestamptz NOT NULL
      );
      CREATE INDEX blacklist_health_history_listing ON blacklist_health_history (resolver, list, at DESC);
      CREATE INDEX blacklist_health_history_at ON blacklist_health_history (at);
      COMMENT ON TABLE blacklist_health_history IS 'changes of blacklist_health.state, for 90 days';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE blacklists_off, blacklist_health_history');
  }
}
