import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts and who acts for them, and the record of what was done. */
export class CreateKeys1795400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE accounts (
        id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        kind         text NOT NULL CHECK (kind IN ('agent', 'full')),
        policy       text NOT NULL,
        name         text,
        created_at   timestamptz NOT NULL,
        suspended_at timestamptz,
        contact_email text,
        note         text,
        claimed_by   uuid REFERENCES accounts,
        claimed_at   timestamptz,
        region       text,
        CHECK ((claimed_by IS NULL) = (claimed_at IS NULL)),
        CHECK (claimed_by IS NULL OR kind = 'agent')
      );
      CREATE INDEX accounts_listing ON accounts (kind, created_at, id);
      CREATE INDEX accounts_claimed ON accounts (claimed_by) WHERE claimed_by IS NOT NULL;
      CREATE INDEX accounts_region ON accounts (region) WHERE region IS NOT NULL;
      COMMENT ON COLUMN accounts.region IS 'whose workers alone work on its batches; null: anybody';
      COMMENT ON COLUMN accounts.claimed_by IS 'the full account that has taken this agent under it';
      COMMENT ON COLUMN accounts.policy IS 'a row of config/key-policies.json';
      COMMENT ON COLUMN accounts.contact_email IS 'personal data: whom administrators write to';
      COMMENT ON COLUMN accounts.note IS 'of administrators, for administrators';

      CREATE TABLE key_ceilings (
        id                uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        credits_per_day   bigint CHECK (credits_per_day >= 0),
        credits_per_month bigint CHECK (credits_per_month >= 0),
        credits_total     bigint CHECK (credits_total >= 0),
        used_date         date,
        used_day          bigint NOT NULL DEFAULT 0 CHECK (used_day >= 0),
        used_month        bigint NOT NULL DEFAULT 0 CHECK (used_month >= 0),
        used_total        bigint NOT NULL DEFAULT 0 CHECK (used_total >= 0)
      );
      COMMENT ON TABLE key_ceilings IS 'what keys may spend of a balance: a key, those that took its place and those that it made share a row';
      COMMENT ON COLUMN key_ceilings.used_date IS 'the UTC day that used_day counts, in the month that used_month counts; null before the first reservation';
      COMMENT ON COLUMN key_ceilings.used_total IS 'charged, and reserved for work that still runs';

      CREATE TABLE api_keys (
        id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        account_id   uuid REFERENCES accounts ON DELETE CASCADE,
        kind         text NOT NULL CHECK (kind IN ('agent', 'live', 'test', 'admin')),
        token_hash   bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
        last_four    text NOT NULL,
        name         text,
        permissions  text[] CHECK (cardinality(permissions) > 0),
        networks     text[] CHECK (cardinality(networks) > 0),
        ceiling_id   uuid REFERENCES key_ceilings,
        created_at   timestamptz NOT NULL,
        expires_at   timestamptz,
        last_used_at timestamptz,
        revoked_at   timestamptz,
        successor_id uuid,
        CHECK ((kind = 'admin') = (account_id IS NULL))
      );
      CREATE INDEX api_keys_listing ON api_keys (account_id, created_at, id);
      CREATE INDEX api_keys_last_four ON api_keys (last_four);
      COMMENT ON COLUMN api_keys.permissions IS 'null: all';
      COMMENT ON COLUMN api_keys.networks IS 'CIDR; null: everywhere';
      COMMENT ON COLUMN api_keys.ceiling_id IS 'null: the key may spend what its account has; of an agent: nothing beyond its free credits';
      COMMENT ON COLUMN api_keys.revoked_at IS 'refused from then on; in the future while a rotated key has its grace';
      COMMENT ON COLUMN api_keys.successor_id IS 'the key that rotation put in its place';

      CREATE TABLE agent_registrations (
        account_id     uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
        purpose        text,
        contact        text,
        client_address inet,
        registered_at  timestamptz NOT NULL,
        claim_token_hash bytea UNIQUE CHECK (octet_length(claim_token_hash) = 32),
        claim_expires_at timestamptz
      );
      CREATE INDEX agent_registrations_address ON agent_registrations (client_address);
      CREATE INDEX agent_registrations_listing ON agent_registrations (registered_at, account_id);
      COMMENT ON COLUMN agent_registrations.claim_token_hash IS 'who shows this token takes the agent under their account';
      COMMENT ON COLUMN agent_registrations.client_address IS 'personal data: kept to find and revoke what one address registered, gone with the account';

      CREATE TABLE audit_log (
        id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at         timestamptz NOT NULL,
        actor_id   uuid,
        actor      text NOT NULL,
        origin     text NOT NULL,
        action     text NOT NULL,
        account_id uuid,
        key_id     uuid,
        simulated  boolean,
        details    jsonb NOT NULL
      );
      CREATE INDEX audit_log_account ON audit_log (account_id, id);
      CREATE INDEX audit_log_own ON audit_log (account_id, simulated, id) WHERE simulated IS NOT NULL;
      COMMENT ON TABLE audit_log IS 'every change that an administrator or an account made; rows outlive the accounts and keys that they name';
      COMMENT ON COLUMN audit_log.actor_id IS 'the key that acted; null for the command line';
      COMMENT ON COLUMN audit_log.origin IS 'client address, or the machine of the command line';
      COMMENT ON COLUMN audit_log.simulated IS 'mode of the account''s key that acted; null when an administrator did';

      CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          RAISE EXCEPTION 'the audit log is only ever added to';
        END
      $$;
      CREATE TRIGGER audit_log_is_append_only BEFORE DELETE OR TRUNCATE ON audit_log
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

      -- Of an account's own act a text that holds an address may become empty: somebody has asked to be forgotten.
      CREATE FUNCTION let_audit_forget() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF OLD.simulated IS NULL
             OR (NEW.id, NEW.at, NEW.actor_id, NEW.origin, NEW.action, NEW.account_id, NEW.key_id, NEW.simulated)
                IS DISTINCT FROM
                (OLD.id, OLD.at, OLD.actor_id, OLD.origin, OLD.action, OLD.account_id, OLD.key_id, OLD.simulated)
             OR (NEW.actor <> OLD.actor AND NOT (NEW.actor = '' AND OLD.actor ~ '@|%40'))
             OR EXISTS (
               SELECT FROM jsonb_each(OLD.details) AS was FULL JOIN jsonb_each(NEW.details) AS now USING (key)
                WHERE now.value IS DISTINCT FROM was.value
                  AND (now.value IS DISTINCT FROM '""' OR was.value IS NULL OR was.value::text !~ '@|%40'))
          THEN RAISE EXCEPTION 'the audit log is only ever added to';
          END IF;
          RETURN NEW;
        END
      $$;
      CREATE TRIGGER audit_log_lets_forget BEFORE UPDATE ON audit_log
        FOR EACH ROW EXECUTE FUNCTION let_audit_forget();

      CREATE TABLE console_sessions (
        id_hash    bytea PRIMARY KEY CHECK (octet_length(id_hash) = 32),
        key_id     uuid NOT NULL REFERENCES api_keys ON DELETE CASCADE,
        actor_kind text NOT NULL CHECK (actor_kind IN ('key')),
        created_at timestamptz NOT NULL,
        seen_at    timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        client_address inet,
        user_agent text
      );
      CREATE INDEX console_sessions_key ON console_sessions (key_id, created_at);
      CREATE INDEX console_sessions_expiry ON console_sessions (expires_at);
      COMMENT ON COLUMN console_sessions.id_hash IS 'SHA-256 of what the cookie holds';
      COMMENT ON COLUMN console_sessions.actor_kind IS 'who acts: today always the holder of the key';
      COMMENT ON COLUMN console_sessions.expires_at IS 'moves on with use, up to seven days after it was made';
      COMMENT ON COLUMN console_sessions.client_address IS 'personal data: of the sign-in, gone with the session';

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
      DROP TABLE demonstrations, console_sessions, audit_log, agent_registrations, api_keys, key_ceilings, accounts;
      DROP FUNCTION refuse_audit_change;
      DROP FUNCTION let_audit_forget;
    `);
  }
}
