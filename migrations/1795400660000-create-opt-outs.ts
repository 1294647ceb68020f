import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateOptOuts1795400660000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE opt_outs (
        id       uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        kind     text NOT NULL CHECK (kind IN ('domain', 'mail_host')),
        name     text NOT NULL,
        reason   text NOT NULL,
        made_by  text NOT NULL,
        made_at  timestamptz NOT NULL,
        ends_at  timestamptz,
        UNIQUE (kind, name)
      );
      COMMENT ON TABLE opt_outs IS 'domains and mail hosts that nobody asks about mailboxes any more';
      COMMENT ON COLUMN opt_outs.name IS 'in lower case and A-labels; names below it are left alone too';
      COMMENT ON COLUMN opt_outs.ends_at IS 'null: until an administrator removes it';
      CREATE INDEX opt_outs_listing ON opt_outs (made_at, id);

      CREATE TABLE opt_out_links (
        token_hash  bytea PRIMARY KEY,
        kind        text NOT NULL CHECK (kind IN ('domain', 'mail_host')),
        name        text NOT NULL,
        ends_at     timestamptz NOT NULL
      );
      COMMENT ON TABLE opt_out_links IS 'links that were mailed to postmasters and not used yet';
      CREATE INDEX opt_out_links_ended ON opt_out_links (ends_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE opt_outs, opt_out_links');
  }
}
