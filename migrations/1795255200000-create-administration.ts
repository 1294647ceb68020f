import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAdministration1795255200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE accounts ADD suspended_at timestamptz;
      CREATE INDEX accounts_listing ON accounts (kind, created_at, id);
      CREATE INDEX api_keys_listing ON api_keys (account_id, created_at, id);
      DROP INDEX api_keys_account;
      CREATE INDEX agent_registrations_listing ON agent_registrations (registered_at, account_id);

      CREATE TABLE audit_log (
        id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at         timestamptz NOT NULL,
        actor_id   uuid,
        actor      text NOT NULL,
        origin     text NOT NULL,
        act        text NOT NULL,
        account_id uuid,
        key_id     uuid,
        details    jsonb NOT NULL
      );
      CREATE INDEX audit_log_account ON audit_log (account_id, id);
      COMMENT ON TABLE audit_log IS 'every change that an administrator made; rows outlive the accounts and keys that they name';
      COMMENT ON COLUMN audit_log.actor_id IS 'the admin key; null for the command line';
      COMMENT ON COLUMN audit_log.origin IS 'client address, or the machine of the command line';

      CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          RAISE EXCEPTION 'the audit log is only ever added to';
        END
      $$;
      CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

      ALTER TABLE agent_daily_pool ADD capacity integer CHECK (capacity >= 0);
      COMMENT ON COLUMN agent_daily_pool.capacity IS 'set by an administrator for this day; null: AGENT_DAILY_CAPACITY';

      CREATE TABLE demonstrations (
        singleton  boolean PRIMARY KEY DEFAULT true CHECK (singleton),
        account_id uuid REFERENCES accounts ON DELETE SET NULL,
        created_at timestamptz NOT NULL
      );
      COMMENT ON TABLE demonstrations IS 'its one row says that the embedded default has made its demonstration account';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE demonstrations;
      ALTER TABLE agent_daily_pool DROP capacity;
      DROP TABLE audit_log;
      DROP FUNCTION refuse_audit_change;
      DROP INDEX agent_registrations_listing;
      CREATE INDEX api_keys_account ON api_keys (account_id);
      DROP INDEX api_keys_listing;
      DROP INDEX accounts_listing;
      ALTER TABLE accounts DROP suspended_at;
    `);
  }
}
