CREATE OR REPLACE FUNCTION public.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
        BEGIN
          RAISE EXCEPTION 'the audit log is only ever added to';
        END
      $function$
;

create table accounts (
  id uuid not null default gen_random_uuid(),
  kind text not null,
  policy text not null,
  name text,
  created_at timestamp with time zone not null,
  suspended_at timestamp with time zone,
  constraint accounts_kind_check CHECK ((kind = ANY (ARRAY['agent'::text, 'full'::text]))),
  constraint accounts_pkey PRIMARY KEY (id)
);

create table agent_daily_pool (
  utc_date date not null,
  used integer not null,
  capacity integer,
  constraint agent_daily_pool_capacity_check CHECK ((capacity >= 0)),
  constraint agent_daily_pool_pkey PRIMARY KEY (utc_date),
  constraint agent_daily_pool_used_check CHECK ((used >= 0))
);

create table agent_daily_usage (
  account_id uuid not null,
  utc_date date not null,
  used integer not null,
  constraint agent_daily_usage_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint agent_daily_usage_pkey PRIMARY KEY (account_id, utc_date),
  constraint agent_daily_usage_used_check CHECK ((used >= 0))
);

create table agent_registrations (
  account_id uuid not null,
  purpose text,
  contact text,
  client_address inet not null,
  registered_at timestamp with time zone not null,
  constraint agent_registrations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint agent_registrations_pkey PRIMARY KEY (account_id)
);

create table api_keys (
  id uuid not null default gen_random_uuid(),
  account_id uuid,
  kind text not null,
  token_hash bytea not null,
  last_four text not null,
  name text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint api_keys_check CHECK (((kind = 'admin'::text) = (account_id IS NULL))),
  constraint api_keys_kind_check CHECK ((kind = ANY (ARRAY['agent'::text, 'live'::text, 'test'::text, 'admin'::text]))),
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_token_hash_check CHECK ((octet_length(token_hash) = 32)),
  constraint api_keys_token_hash_key UNIQUE (token_hash)
);

create table audit_log (
  id bigint not null generated always as identity,
  at timestamp with time zone not null,
  actor_id uuid,
  actor text not null,
  origin text not null,
  act text not null,
  account_id uuid,
  key_id uuid,
  details jsonb not null,
  constraint audit_log_pkey PRIMARY KEY (id)
);

create table credit_reservations (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  utc_date date not null,
  amount integer not null,
  created_at timestamp with time zone not null,
  lapses_at timestamp with time zone not null,
  constraint credit_reservations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint credit_reservations_amount_check CHECK ((amount > 0)),
  constraint credit_reservations_pkey PRIMARY KEY (id)
);

create table demonstrations (
  singleton boolean not null default true,
  account_id uuid,
  created_at timestamp with time zone not null,
  constraint demonstrations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint demonstrations_pkey PRIMARY KEY (singleton),
  constraint demonstrations_singleton_check CHECK (singleton)
);

CREATE INDEX accounts_listing ON public.accounts USING btree (kind, created_at, id);

CREATE INDEX agent_registrations_address ON public.agent_registrations USING btree (client_address);

CREATE INDEX agent_registrations_listing ON public.agent_registrations USING btree (registered_at, account_id);

CREATE INDEX api_keys_listing ON public.api_keys USING btree (account_id, created_at, id);

CREATE INDEX audit_log_account ON public.audit_log USING btree (account_id, id);

CREATE INDEX credit_reservations_lapsing ON public.credit_reservations USING btree (lapses_at);

CREATE TRIGGER audit_log_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

comment on column accounts.policy is 'a row of config/key-policies.json';

comment on column agent_daily_pool.capacity is 'set by an administrator for this day; null: AGENT_DAILY_CAPACITY';

comment on column agent_registrations.client_address is 'personal data: kept to find and revoke what one address registered, gone with the account';

comment on column api_keys.revoked_at is 'refused from then on; in the future while a rotated key has its grace';

comment on table audit_log is 'every change that an administrator made; rows outlive the accounts and keys that they name';

comment on column audit_log.actor_id is 'the admin key; null for the command line';

comment on column audit_log.origin is 'client address, or the machine of the command line';

comment on table credit_reservations is 'credits taken for work that still runs; a row past lapses_at belonged to a process that died';

comment on column credit_reservations.utc_date is 'the day whose allowance and pool the credits came from';

comment on table demonstrations is 'its one row says that the embedded default has made its demonstration account';
