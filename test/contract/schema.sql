CREATE OR REPLACE FUNCTION public.delete_batch_parts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
        DECLARE
          leaves boolean := coalesce(current_setting('mailsonde.leave_parts', true), '') = 'on';
        BEGIN
          INSERT INTO batch_remains (batch_id, account_id)
          SELECT id, account_id FROM gone WHERE leaves OR state = 'receiving' ON CONFLICT DO NOTHING;
          IF NOT leaves THEN
            PERFORM delete_parts_of(array(SELECT id FROM gone));
          END IF;
          RETURN NULL;
        END
      $function$
;

CREATE OR REPLACE FUNCTION public.delete_parts_of(batches bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
        DECLARE
          deleted bigint;
        BEGIN
          FOREACH deleted IN ARRAY batches LOOP
            DELETE FROM batch_rows WHERE batch_id = deleted;
            DELETE FROM batch_chunks WHERE batch_id = deleted;
            DELETE FROM batch_results WHERE batch_id = deleted;
          END LOOP;
        END
      $function$
;

CREATE OR REPLACE FUNCTION public.is_partition_open(of_batch bigint, of_partition smallint)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
        BEGIN
          RETURN EXISTS (SELECT FROM batch_chunks WHERE batch_id = of_batch AND partition = of_partition AND NOT done);
        END
      $function$
;

CREATE OR REPLACE FUNCTION public.let_audit_forget()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
      $function$
;

CREATE OR REPLACE FUNCTION public.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
        BEGIN
          RAISE EXCEPTION 'the audit log is only ever added to';
        END
      $function$
;

CREATE OR REPLACE FUNCTION public.refuse_ledger_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
        BEGIN
          RAISE EXCEPTION 'the credit ledger is only ever added to';
        END
      $function$
;

CREATE OR REPLACE FUNCTION public.waiting_chunks(of_batch bigint)
 RETURNS TABLE(due_at timestamp with time zone, window_ends_at timestamp with time zone, waiting_counts smallint[])
 LANGUAGE plpgsql
 STABLE ROWS 10
AS $function$
        BEGIN
          RETURN QUERY SELECT chunk.due_at, chunk.window_ends_at, chunk.waiting_counts
            FROM batch_chunks AS chunk WHERE batch_id = of_batch AND NOT done AND pass > 0;
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
  contact_email text,
  note text,
  claimed_by uuid,
  claimed_at timestamp with time zone,
  region text,
  constraint accounts_check CHECK (((claimed_by IS NULL) = (claimed_at IS NULL))),
  constraint accounts_check1 CHECK (((claimed_by IS NULL) OR (kind = 'agent'::text))),
  constraint accounts_claimed_by_fkey FOREIGN KEY (claimed_by) REFERENCES accounts(id),
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
  client_address inet,
  registered_at timestamp with time zone not null,
  claim_token_hash bytea,
  claim_expires_at timestamp with time zone,
  constraint agent_registrations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint agent_registrations_claim_token_hash_check CHECK ((octet_length(claim_token_hash) = 32)),
  constraint agent_registrations_claim_token_hash_key UNIQUE (claim_token_hash),
  constraint agent_registrations_pkey PRIMARY KEY (account_id)
);

create table api_keys (
  id uuid not null default gen_random_uuid(),
  account_id uuid,
  kind text not null,
  token_hash bytea not null,
  last_four text not null,
  name text,
  permissions text[],
  networks text[],
  ceiling_id uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  successor_id uuid,
  maker_kind text,
  maker_id uuid,
  rotator_id uuid,
  constraint api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint api_keys_ceiling_id_fkey FOREIGN KEY (ceiling_id) REFERENCES key_ceilings(id),
  constraint api_keys_check CHECK (((kind = 'admin'::text) = (account_id IS NULL))),
  constraint api_keys_kind_check CHECK ((kind = ANY (ARRAY['agent'::text, 'live'::text, 'test'::text, 'admin'::text]))),
  constraint api_keys_maker_check CHECK (((maker_id IS NULL) OR (maker_kind IS NOT NULL))),
  constraint api_keys_maker_kind_check CHECK ((maker_kind = ANY (ARRAY['key'::text, 'administrator'::text]))),
  constraint api_keys_networks_check CHECK ((cardinality(networks) > 0)),
  constraint api_keys_permissions_check CHECK ((cardinality(permissions) > 0)),
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
  action text not null,
  account_id uuid,
  key_id uuid,
  simulated boolean,
  details jsonb not null,
  constraint audit_log_pkey PRIMARY KEY (id)
);

create table batch_chunks (
  batch_id bigint not null,
  number integer not null,
  partition smallint not null,
  size smallint not null,
  partitioned_by text not null,
  items text not null,
  duplicates integer[] not null default '{}'::integer[],
  kept bytea,
  pass smallint not null default 0,
  offsets smallint[],
  later_offsets smallint[],
  waiting_counts smallint[],
  window_ends_at timestamp with time zone,
  retry_sources text,
  attempts smallint not null default 0,
  due_at timestamp with time zone not null,
  worker_id integer,
  lease_owner uuid,
  lease_expires_at timestamp with time zone,
  done boolean not null default false,
  taken_passes smallint not null default 0,
  free_offsets smallint[],
  constraint batch_chunks_attempts_check CHECK ((attempts >= 0)),
  constraint batch_chunks_partitioned_by_check CHECK ((partitioned_by = ANY (ARRAY['domain'::text, 'operator'::text]))),
  constraint batch_chunks_pkey PRIMARY KEY (batch_id, number)
) partition by RANGE (batch_id);

create table batch_ordered_results (
  batch_id bigint not null,
  block integer not null,
  items text not null,
  results text not null,
  facts text not null,
  domains integer[] not null,
  constraint batch_ordered_results_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batches(id) ON DELETE CASCADE,
  constraint batch_ordered_results_pkey PRIMARY KEY (batch_id, block)
);

create table batch_remains (
  batch_id bigint not null,
  account_id uuid not null,
  deleted_at timestamp with time zone not null default now(),
  constraint batch_remains_pkey PRIMARY KEY (batch_id)
);

create table batch_results (
  batch_id bigint not null,
  chunk integer not null,
  pass smallint not null,
  results text not null,
  constraint batch_results_pkey PRIMARY KEY (batch_id, chunk, pass)
) partition by RANGE (batch_id);

create table batch_rows (
  batch_id bigint not null,
  number integer not null,
  items text not null,
  row_refs bytea not null,
  extra_columns text,
  constraint batch_rows_pkey PRIMARY KEY (batch_id, number)
) partition by RANGE (batch_id);

create table batch_settings (
  account_id uuid not null,
  simulated boolean not null,
  retention_days integer,
  retry_window_seconds integer,
  constraint batch_settings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint batch_settings_pkey PRIMARY KEY (account_id, simulated)
);

create table batch_summaries (
  batch_id bigint not null,
  finished_at timestamp with time zone not null,
  erasures integer not null,
  summary text not null,
  constraint batch_summaries_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batches(id) ON DELETE CASCADE,
  constraint batch_summaries_pkey PRIMARY KEY (batch_id)
);

create table batch_waits (
  batch_id bigint not null,
  partition smallint not null,
  until timestamp with time zone not null,
  constraint batch_waits_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batches(id) ON DELETE CASCADE,
  constraint batch_waits_pkey PRIMARY KEY (batch_id, partition)
);

create table batch_workers (
  worker_id integer not null,
  region text,
  constraint batch_workers_pkey PRIMARY KEY (worker_id)
);

create table batches (
  id bigint not null,
  account_id uuid not null,
  key_id uuid not null,
  policy text not null,
  simulated boolean not null,
  kind text not null default 'verify'::text,
  state text not null,
  list_id bigint,
  name text,
  webhook_url text,
  columns text,
  retention_days integer,
  retry_window_seconds integer,
  total_rows integer not null default 0,
  unique_addresses integer not null default 0,
  malformed integer,
  open_chunks integer not null default 0,
  valid integer not null default 0,
  invalid integer not null default 0,
  risky integer not null default 0,
  unknown integer not null default 0,
  reservation_id uuid,
  credit_source text,
  credits_reserved integer not null default 0,
  credits_charged integer not null default 0,
  reused integer not null default 0,
  kept_from integer default 0,
  erasures integer not null default 0,
  is_ordered boolean not null default false,
  trace_id text,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  expires_at timestamp with time zone,
  constraint batches_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint batches_check CHECK (((retention_days IS NOT NULL) OR (state = 'receiving'::text))),
  constraint batches_check1 CHECK (((((valid + invalid) + risky) + unknown) <= total_rows)),
  constraint batches_check2 CHECK (((finished_at IS NULL) = (state = ANY (ARRAY['receiving'::text, 'held'::text, 'queued'::text, 'processing'::text])))),
  constraint batches_id_check CHECK (((id > 0) AND (id < '9007199254740992'::bigint))),
  constraint batches_kind_check CHECK ((kind = ANY (ARRAY['verify'::text, 'find'::text]))),
  constraint batches_list_id_fkey FOREIGN KEY (list_id) REFERENCES batches(id) ON DELETE SET NULL,
  constraint batches_open_chunks_check CHECK ((open_chunks >= 0)),
  constraint batches_pkey PRIMARY KEY (id),
  constraint batches_state_check CHECK ((state = ANY (ARRAY['receiving'::text, 'held'::text, 'queued'::text, 'processing'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);

create table blacklist_checks (
  id bigint not null,
  account_id uuid not null,
  simulated boolean not null,
  results jsonb not null,
  credits_charged integer not null,
  latency_ms integer not null,
  created_at timestamp with time zone not null,
  constraint blacklist_checks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint blacklist_checks_pkey PRIMARY KEY (id)
);

create table blacklist_health (
  list text not null,
  kind text not null,
  resolver text not null,
  state text not null,
  why text,
  since timestamp with time zone not null,
  tested_at timestamp with time zone not null,
  constraint blacklist_health_kind_check CHECK ((kind = ANY (ARRAY['ipv4'::text, 'ipv6'::text, 'domain'::text]))),
  constraint blacklist_health_pkey PRIMARY KEY (resolver, list, kind),
  constraint blacklist_health_state_check CHECK ((state = ANY (ARRAY['healthy'::text, 'refused'::text, 'unhealthy'::text, 'silent'::text])))
);

create table blacklist_health_history (
  resolver text not null,
  list text not null,
  kind text not null,
  state text not null,
  why text,
  at timestamp with time zone not null,
  constraint blacklist_health_history_kind_check CHECK ((kind = ANY (ARRAY['ipv4'::text, 'ipv6'::text, 'domain'::text]))),
  constraint blacklist_health_history_state_check CHECK ((state = ANY (ARRAY['healthy'::text, 'refused'::text, 'unhealthy'::text, 'silent'::text])))
);

create table blacklist_suspicions (
  list text not null,
  since timestamp with time zone not null,
  until timestamp with time zone not null,
  turned integer not null,
  watched integer not null,
  constraint blacklist_suspicions_pkey PRIMARY KEY (list)
);

create table blacklists_off (
  list text not null,
  reason text not null,
  by text not null,
  since timestamp with time zone not null,
  constraint blacklists_off_pkey PRIMARY KEY (list)
);

create table console_sessions (
  id_hash bytea not null,
  key_id uuid not null,
  actor_kind text not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  client_address inet,
  user_agent text,
  constraint console_sessions_actor_kind_check CHECK ((actor_kind = 'key'::text)),
  constraint console_sessions_id_hash_check CHECK ((octet_length(id_hash) = 32)),
  constraint console_sessions_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
  constraint console_sessions_pkey PRIMARY KEY (id_hash)
);

create table credit_balances (
  account_id uuid not null,
  available bigint not null default 0,
  reserved bigint not null default 0,
  used_total bigint not null default 0,
  free_granted bigint not null default 0,
  entries bigint not null default 0,
  constraint credit_balances_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint credit_balances_available_check CHECK ((available >= 0)),
  constraint credit_balances_free_granted_check CHECK ((free_granted >= 0)),
  constraint credit_balances_pkey PRIMARY KEY (account_id),
  constraint credit_balances_reserved_check CHECK ((reserved >= 0)),
  constraint credit_balances_used_total_check CHECK ((used_total >= 0))
);

create table credit_ledger (
  account_id uuid not null,
  number bigint not null,
  created_at timestamp with time zone not null,
  kind text not null,
  amount bigint not null,
  balance_after bigint not null,
  purpose text not null,
  key_id uuid,
  reservation_id uuid,
  batch_id bigint,
  ceiling_id uuid,
  actor text,
  constraint credit_ledger_balance_after_check CHECK ((balance_after >= 0)),
  constraint credit_ledger_check CHECK (
CASE kind
    WHEN 'grant'::text THEN (amount > 0)
    WHEN 'release'::text THEN (amount > 0)
    WHEN 'reserve'::text THEN (amount < 0)
    WHEN 'charge'::text THEN (amount < 0)
    WHEN 'adjust'::text THEN (amount <> 0)
    ELSE false
END),
  constraint credit_ledger_pkey PRIMARY KEY (account_id, number)
);

create table credit_reservations (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  key_id uuid,
  purpose text,
  batch_id bigint,
  utc_date date,
  amount integer not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  ceiling_id uuid,
  ceiling_date date,
  paid_part_id uuid,
  constraint credit_reservations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint credit_reservations_amount_check CHECK ((amount >= 0)),
  constraint credit_reservations_check CHECK (((ceiling_id IS NULL) = (ceiling_date IS NULL))),
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

create table dmarc_failures (
  monitor_id bigint not null,
  source inet not null,
  domain text not null,
  failure text not null,
  delivery text,
  dkim_domain text,
  dkim_selector text,
  reporter text,
  messages bigint not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  constraint dmarc_failures_messages_check CHECK ((messages > 0)),
  constraint dmarc_failures_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint dmarc_failures_pkey PRIMARY KEY (monitor_id, source, domain, failure)
);

create table dmarc_reports (
  id bigint not null,
  monitor_id bigint not null,
  domain text not null,
  organization text not null,
  report_id text not null,
  form text not null,
  generator text,
  begins_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  policy jsonb not null,
  messages bigint not null,
  passed bigint not null,
  row_count integer not null,
  records_left_out integer not null,
  received_at timestamp with time zone not null,
  reporter text,
  constraint dmarc_reports_check CHECK (((passed >= 0) AND (passed <= messages))),
  constraint dmarc_reports_form_check CHECK ((form = ANY (ARRAY['rfc7489'::text, 'rfc9990'::text]))),
  constraint dmarc_reports_messages_check CHECK ((messages >= 0)),
  constraint dmarc_reports_monitor_id_domain_organization_report_id_key UNIQUE (monitor_id, domain, organization, report_id),
  constraint dmarc_reports_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint dmarc_reports_pkey PRIMARY KEY (id),
  constraint dmarc_reports_records_left_out_check CHECK ((records_left_out >= 0)),
  constraint dmarc_reports_row_count_check CHECK ((row_count >= 0))
);

create table dmarc_rows (
  report_id bigint not null,
  source inet not null,
  messages bigint not null,
  disposition text not null,
  dkim_aligned boolean not null,
  spf_aligned boolean not null,
  header_from text not null,
  dkim_result text,
  dkim_domain text,
  spf_result text,
  spf_domain text,
  override text,
  constraint dmarc_rows_messages_check CHECK ((messages > 0)),
  constraint dmarc_rows_report_id_fkey FOREIGN KEY (report_id) REFERENCES dmarc_reports(id) ON DELETE CASCADE
);

create table dmarc_sources (
  monitor_id bigint not null,
  source inet not null,
  messages bigint not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  known_at timestamp with time zone,
  constraint dmarc_sources_messages_check CHECK ((messages >= 0)),
  constraint dmarc_sources_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint dmarc_sources_pkey PRIMARY KEY (monitor_id, source)
);

create table domain_checks (
  id bigint not null,
  account_id uuid not null,
  simulated boolean not null,
  domain text not null,
  result jsonb not null,
  credits_charged integer not null,
  latency_ms integer not null,
  created_at timestamp with time zone not null,
  constraint domain_checks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint domain_checks_pkey PRIMARY KEY (id)
);

create table domain_patterns (
  domain text not null,
  pattern text not null,
  addresses bigint not null,
  constraint domain_patterns_addresses_check CHECK ((addresses > 0)),
  constraint domain_patterns_pkey PRIMARY KEY (domain, pattern)
);

create table erasure_batches (
  erasure_id uuid not null,
  batch_id bigint not null,
  constraint erasure_batches_erasure_id_fkey FOREIGN KEY (erasure_id) REFERENCES erasures(id) ON DELETE CASCADE,
  constraint erasure_batches_pkey PRIMARY KEY (erasure_id, batch_id)
);

create table erasures (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  simulated boolean not null,
  address bytea,
  suppressed boolean not null,
  state text not null,
  batches integer not null default 0,
  rows integer not null default 0,
  bodies integer not null default 0,
  answers integer not null default 0,
  kept_replies integer not null default 0,
  verdicts integer not null default 0,
  suppressions integer not null default 0,
  agents integer not null default 0,
  names integer not null default 0,
  acts integer not null default 0,
  created_at timestamp with time zone not null,
  looked_at timestamp with time zone,
  due_at timestamp with time zone not null,
  stepped_at timestamp with time zone,
  failures integer not null default 0,
  failure text,
  finished_at timestamp with time zone,
  constraint erasures_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint erasures_check CHECK (((finished_at IS NULL) = (state = ANY (ARRAY['working'::text, 'waiting'::text])))),
  constraint erasures_check1 CHECK (((finished_at IS NULL) = (address IS NOT NULL))),
  constraint erasures_check2 CHECK (((failure IS NULL) = (state <> 'failed'::text))),
  constraint erasures_failure_check CHECK ((failure = ANY (ARRAY['address_unreadable'::text, 'steps_failed'::text]))),
  constraint erasures_pkey PRIMARY KEY (id),
  constraint erasures_state_check CHECK ((state = ANY (ARRAY['working'::text, 'waiting'::text, 'done'::text, 'failed'::text])))
);

create table failure_arrivals (
  monitor_id bigint not null,
  reporter text,
  row_count integer not null,
  received_at timestamp with time zone not null,
  constraint failure_arrivals_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint failure_arrivals_row_count_check CHECK ((row_count >= 0))
);

create table idempotency_keys (
  scope_hash bytea not null,
  fingerprint bytea,
  lease_owner uuid not null,
  lease_expires_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  status smallint,
  reply bytea,
  account_id uuid,
  simulated boolean,
  address_tags bytea[],
  constraint idempotency_keys_check CHECK (((status IS NULL) = (reply IS NULL))),
  constraint idempotency_keys_fingerprint_check CHECK ((octet_length(fingerprint) = 32)),
  constraint idempotency_keys_pkey PRIMARY KEY (scope_hash),
  constraint idempotency_keys_scope_hash_check CHECK ((octet_length(scope_hash) = 32))
);

create table kept_verdicts (
  account_id uuid not null,
  simulated boolean not null,
  bucket smallint not null,
  id bigint not null generated always as identity,
  oldest_at timestamp with time zone not null,
  verdicts bytea not null,
  constraint kept_verdicts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint kept_verdicts_pkey PRIMARY KEY (account_id, simulated, bucket, id)
);

create table key_ceilings (
  id uuid not null default gen_random_uuid(),
  credits_per_day bigint,
  credits_per_month bigint,
  credits_total bigint,
  used_date date,
  used_day bigint not null default 0,
  used_month bigint not null default 0,
  used_total bigint not null default 0,
  constraint key_ceilings_credits_per_day_check CHECK ((credits_per_day >= 0)),
  constraint key_ceilings_credits_per_month_check CHECK ((credits_per_month >= 0)),
  constraint key_ceilings_credits_total_check CHECK ((credits_total >= 0)),
  constraint key_ceilings_pkey PRIMARY KEY (id),
  constraint key_ceilings_used_day_check CHECK ((used_day >= 0)),
  constraint key_ceilings_used_month_check CHECK ((used_month >= 0)),
  constraint key_ceilings_used_total_check CHECK ((used_total >= 0))
);

create table ledger_drift (
  singleton boolean not null default true,
  credits bigint not null,
  accounts integer not null,
  measured_at timestamp with time zone not null,
  constraint ledger_drift_pkey PRIMARY KEY (singleton),
  constraint ledger_drift_singleton_check CHECK (singleton)
);

create table ledger_sums (
  account_id uuid not null,
  number bigint not null,
  sum bigint not null,
  constraint ledger_sums_pkey PRIMARY KEY (account_id)
);

create table list_changes (
  batch_id bigint not null,
  ref integer not null,
  before_verdict text not null,
  before_reason text not null,
  after_verdict text not null,
  after_reason text not null,
  constraint list_changes_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batches(id) ON DELETE CASCADE,
  constraint list_changes_pkey PRIMARY KEY (batch_id, ref)
);

create table list_schedules (
  list_id bigint not null,
  account_id uuid not null,
  simulated boolean not null,
  key_id uuid not null,
  every_days integer not null,
  verdicts text[],
  reuse_days integer not null,
  max_credits integer,
  enabled boolean not null,
  created_at timestamp with time zone not null,
  next_run_at timestamp with time zone not null,
  running_batch_id bigint,
  running_source_id bigint,
  last_run_at timestamp with time zone,
  last_run_status text,
  last_run_reason text,
  last_run_batch_id bigint,
  last_run_changed integer,
  constraint list_schedules_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint list_schedules_every_days_check CHECK ((every_days > 0)),
  constraint list_schedules_last_run_status_check CHECK ((last_run_status = ANY (ARRAY['running'::text, 'completed'::text, 'skipped'::text, 'failed'::text]))),
  constraint list_schedules_list_id_fkey FOREIGN KEY (list_id) REFERENCES batches(id) ON DELETE CASCADE,
  constraint list_schedules_pkey PRIMARY KEY (list_id)
);

create table monitor_events (
  id bigint not null,
  monitor_id bigint not null,
  at timestamp with time zone not null,
  type text not null,
  run_id bigint,
  finding_id bigint,
  data jsonb not null,
  constraint monitor_events_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint monitor_events_pkey PRIMARY KEY (id)
);

create table monitor_findings (
  id bigint not null,
  monitor_id bigint not null,
  code text not null,
  subject text not null,
  area text not null,
  severity text not null,
  state text not null,
  first_seen_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  last_seen_at timestamp with time zone not null,
  clean_since timestamp with time zone,
  resolved_at timestamp with time zone,
  seen_runs integer not null,
  clean_runs integer not null,
  flips timestamp with time zone[] not null,
  told text,
  told_severity text,
  told_at timestamp with time zone,
  explanation text not null,
  evidence jsonb not null,
  fix jsonb,
  rfc text,
  list text,
  turned_at timestamp with time zone,
  muted_until timestamp with time zone,
  note text,
  incident_id bigint,
  constraint monitor_findings_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint monitor_findings_pkey PRIMARY KEY (id),
  constraint monitor_findings_severity_check CHECK ((severity = ANY (ARRAY['critical'::text, 'warning'::text, 'info'::text]))),
  constraint monitor_findings_state_check CHECK ((state = ANY (ARRAY['suspected'::text, 'open'::text, 'clearing'::text, 'resolved'::text]))),
  constraint monitor_findings_told_check CHECK ((told = ANY (ARRAY['open'::text, 'resolved'::text])))
);

create table monitor_runs (
  id bigint not null,
  monitor_id bigint not null,
  number integer not null,
  cause text not null,
  state text not null,
  answered boolean not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone not null,
  facts_hash text not null,
  changed boolean not null,
  result_of bigint not null,
  result jsonb,
  opened integer not null,
  resolved integer not null,
  credits_charged integer not null,
  untrusted boolean not null default false,
  constraint monitor_runs_cause_check CHECK ((cause = ANY (ARRAY['schedule'::text, 'request'::text]))),
  constraint monitor_runs_check CHECK (((result IS NOT NULL) = (result_of = id))),
  constraint monitor_runs_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint monitor_runs_monitor_id_number_key UNIQUE (monitor_id, number),
  constraint monitor_runs_pkey PRIMARY KEY (id),
  constraint monitor_runs_state_check CHECK ((state = ANY (ARRAY['ok'::text, 'warning'::text, 'critical'::text, 'unknown'::text])))
);

create table monitors (
  id bigint not null,
  account_id uuid not null,
  simulated boolean not null,
  kind text not null,
  target text not null,
  name text,
  settings jsonb not null,
  interval_minutes integer not null,
  state text not null,
  paused text,
  paused_why text,
  created_at timestamp with time zone not null,
  next_run_at timestamp with time zone not null,
  holder uuid,
  leased_until timestamp with time zone,
  runs integer not null default 0,
  last_run_id bigint,
  last_run_at timestamp with time zone,
  asked_at timestamp with time zone,
  unanswered_since timestamp with time zone,
  stalled_at timestamp with time zone,
  watched integer not null default 0,
  memory jsonb not null default '{}'::jsonb,
  constraint monitors_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint monitors_account_id_simulated_kind_target_key UNIQUE (account_id, simulated, kind, target),
  constraint monitors_interval_minutes_check CHECK ((interval_minutes > 0)),
  constraint monitors_kind_check CHECK ((kind = ANY (ARRAY['domain'::text, 'address'::text]))),
  constraint monitors_paused_check CHECK ((paused = ANY (ARRAY['owner'::text, 'plan'::text, 'suspended'::text, 'operator'::text]))),
  constraint monitors_pkey PRIMARY KEY (id),
  constraint monitors_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'ok'::text, 'warning'::text, 'critical'::text, 'unknown'::text])))
);

create table operator_circuits (
  process_id uuid not null,
  operator text not null,
  source text not null,
  address text not null,
  refusals integer not null,
  open_until timestamp with time zone not null,
  last_refusal text not null,
  seen_at timestamp with time zone not null,
  constraint operator_circuits_pkey PRIMARY KEY (process_id, operator, source, address)
);

create table operator_measures (
  operator text not null,
  asked_at timestamp with time zone not null,
  accepted_in_a_row smallint not null default 0,
  accepts_all_since timestamp with time zone,
  answered_at timestamp with time zone,
  domain text,
  mail_host text,
  reply text,
  constraint operator_measures_pkey PRIMARY KEY (operator)
);

create table operator_pauses (
  operator text not null,
  reason text not null,
  paused_by text not null,
  paused_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  constraint operator_pauses_pkey PRIMARY KEY (operator)
);

create table opt_out_links (
  token_hash bytea not null,
  kind text not null,
  name text not null,
  ends_at timestamp with time zone not null,
  constraint opt_out_links_kind_check CHECK ((kind = ANY (ARRAY['domain'::text, 'mail_host'::text]))),
  constraint opt_out_links_pkey PRIMARY KEY (token_hash)
);

create table opt_outs (
  id uuid not null default gen_random_uuid(),
  kind text not null,
  name text not null,
  reason text not null,
  made_by text not null,
  made_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  constraint opt_outs_kind_check CHECK ((kind = ANY (ARRAY['domain'::text, 'mail_host'::text]))),
  constraint opt_outs_kind_name_key UNIQUE (kind, name),
  constraint opt_outs_pkey PRIMARY KEY (id)
);

create table placement_arrivals (
  test_id bigint not null,
  seed_id uuid not null,
  placement text,
  tab text,
  matched_by text,
  arrived_at timestamp with time zone,
  authentication jsonb,
  evidence jsonb,
  looks integer not null default 0,
  base_at timestamp with time zone,
  looked_at timestamp with time zone,
  fault text,
  due_at timestamp with time zone,
  constraint placement_arrivals_check CHECK ((((placement IS NULL) = (matched_by IS NULL)) AND ((placement IS NULL) = (arrived_at IS NULL)))),
  constraint placement_arrivals_check1 CHECK (((tab IS NOT NULL) = ((placement IS NOT NULL) AND (placement = 'tab'::text)))),
  constraint placement_arrivals_matched_by_check CHECK ((matched_by = ANY (ARRAY['recipient'::text, 'header'::text, 'subject'::text, 'body'::text, 'message_id'::text, 'from_and_subject'::text]))),
  constraint placement_arrivals_pkey PRIMARY KEY (test_id, seed_id),
  constraint placement_arrivals_placement_check CHECK ((placement = ANY (ARRAY['inbox'::text, 'tab'::text, 'spam'::text, 'other_folder'::text]))),
  constraint placement_arrivals_seed_id_fkey FOREIGN KEY (seed_id) REFERENCES placement_seeds(id) ON DELETE CASCADE,
  constraint placement_arrivals_test_id_fkey FOREIGN KEY (test_id) REFERENCES placement_tests(id) ON DELETE CASCADE
);

create table placement_messages (
  test_id bigint not null,
  received_at timestamp with time zone not null,
  mail_from text not null,
  recipient text not null,
  client_address text not null,
  client_name text not null,
  tls text,
  size integer not null,
  raw bytea not null,
  constraint placement_messages_pkey PRIMARY KEY (test_id),
  constraint placement_messages_test_id_fkey FOREIGN KEY (test_id) REFERENCES placement_tests(id) ON DELETE CASCADE
);

create table placement_seeds (
  id uuid not null,
  provider text not null,
  address text not null,
  host text not null,
  port integer not null,
  security text not null,
  login text not null,
  authserv_id text,
  credentials bytea not null,
  state text not null,
  why text,
  failures integer not null default 0,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  last_ok_at timestamp with time zone,
  checked_at timestamp with time zone,
  check_due_at timestamp with time zone not null,
  paused_until timestamp with time zone,
  lease_owner uuid,
  lease_expires_at timestamp with time zone,
  constraint placement_seeds_address_key UNIQUE (address),
  constraint placement_seeds_check CHECK (((lease_owner IS NULL) = (lease_expires_at IS NULL))),
  constraint placement_seeds_failures_check CHECK ((failures >= 0)),
  constraint placement_seeds_pkey PRIMARY KEY (id),
  constraint placement_seeds_port_check CHECK (((port >= 1) AND (port <= 65535))),
  constraint placement_seeds_security_check CHECK ((security = ANY (ARRAY['tls'::text, 'starttls'::text, 'none'::text]))),
  constraint placement_seeds_state_check CHECK ((state = ANY (ARRAY['on'::text, 'off'::text])))
);

create table placement_tests (
  id bigint not null,
  account_id uuid not null,
  simulated boolean not null,
  key_id uuid not null,
  token text not null,
  name text,
  seeds jsonb not null,
  world text,
  state text not null,
  reservation_id uuid,
  credits_reserved integer not null,
  credits_charged integer not null default 0,
  settle_minutes integer not null,
  messages integer not null default 0,
  attempts integer not null default 0,
  report jsonb,
  placement jsonb,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  first_arrival_at timestamp with time zone,
  settled_at timestamp with time zone,
  due_at timestamp with time zone,
  constraint placement_tests_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint placement_tests_check CHECK (((due_at IS NOT NULL) = (state = ANY (ARRAY['waiting'::text, 'receiving'::text])))),
  constraint placement_tests_check1 CHECK (((settled_at IS NULL) = (state = ANY (ARRAY['waiting'::text, 'receiving'::text])))),
  constraint placement_tests_credits_charged_check CHECK ((credits_charged >= 0)),
  constraint placement_tests_credits_reserved_check CHECK ((credits_reserved >= 0)),
  constraint placement_tests_pkey PRIMARY KEY (id),
  constraint placement_tests_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'receiving'::text, 'completed'::text, 'expired'::text, 'cancelled'::text]))),
  constraint placement_tests_token_key UNIQUE (token)
);

create table port25_states (
  process_id uuid not null,
  machine text not null,
  state text not null,
  since timestamp with time zone not null,
  answered_at timestamp with time zone,
  seen_at timestamp with time zone not null,
  constraint port25_states_pkey PRIMARY KEY (process_id),
  constraint port25_states_state_check CHECK ((state = ANY (ARRAY['open'::text, 'blocked'::text])))
);

create table report_addresses (
  monitor_id bigint not null,
  challenge text not null,
  token text not null,
  created_at timestamp with time zone not null,
  verified_at timestamp with time zone,
  unreadable bigint not null default 0,
  constraint report_addresses_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint report_addresses_pkey PRIMARY KEY (monitor_id),
  constraint report_addresses_token_key UNIQUE (token)
);

create table resolver_doubts (
  process_id uuid not null,
  machine text not null,
  finding text not null,
  since timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  constraint resolver_doubts_finding_check CHECK ((finding = ANY (ARRAY['denies'::text, 'makes_up'::text]))),
  constraint resolver_doubts_pkey PRIMARY KEY (process_id)
);

create table source_checks (
  source text not null,
  check_name text not null,
  state text not null,
  told text not null,
  checked_at timestamp with time zone not null,
  constraint source_checks_pkey PRIMARY KEY (source, check_name),
  constraint source_checks_state_check CHECK ((state = ANY (ARRAY['pass'::text, 'fail'::text, 'unknown'::text])))
);

create table source_conditions (
  source text not null,
  condition text not null,
  reason text not null,
  changed_by text not null,
  changed_at timestamp with time zone not null,
  constraint source_conditions_condition_check CHECK ((condition = ANY (ARRAY['drained'::text, 'paused'::text]))),
  constraint source_conditions_pkey PRIMARY KEY (source)
);

create table source_listings (
  source text not null,
  list text not null,
  address text not null,
  told text not null,
  harmful boolean not null,
  since timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  constraint source_listings_pkey PRIMARY KEY (source, list, address)
);

create table source_looks (
  source text not null,
  identity text not null,
  looked_at timestamp with time zone not null,
  constraint source_looks_pkey PRIMARY KEY (source)
);

create table source_refusals (
  hour timestamp with time zone not null,
  source text not null,
  operator text not null,
  kind text not null,
  refusals bigint not null,
  last_reply text not null,
  last_text text not null,
  last_at timestamp with time zone not null,
  constraint source_refusals_kind_check CHECK ((kind = ANY (ARRAY['ip_blocked'::text, 'rate_limited'::text, 'sender_rejected'::text, 'greylisted'::text]))),
  constraint source_refusals_last_text_check CHECK ((octet_length(last_text) <= 512)),
  constraint source_refusals_pkey PRIMARY KEY (hour, source, operator, kind)
);

create table source_reports (
  process_id uuid not null,
  source text not null,
  machine text not null,
  resting_until timestamp with time zone,
  fault text,
  port_25 text not null,
  seen_at timestamp with time zone not null,
  constraint source_reports_pkey PRIMARY KEY (process_id, source),
  constraint source_reports_port_25_check CHECK ((port_25 = ANY (ARRAY['open'::text, 'blocked'::text, 'unknown'::text])))
);

create table source_rests (
  source text not null,
  reason text not null,
  since timestamp with time zone not null,
  clean_checks integer not null,
  constraint source_rests_pkey PRIMARY KEY (source)
);

create table source_watch (
  only_row boolean not null default true,
  due_at timestamp with time zone not null,
  leased_by uuid,
  leased_until timestamp with time zone,
  constraint source_watch_only_row_check CHECK (only_row),
  constraint source_watch_pkey PRIMARY KEY (only_row)
);

create table suppression_settings (
  account_id uuid not null,
  simulated boolean not null,
  report_in_verify boolean not null,
  constraint suppression_settings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint suppression_settings_pkey PRIMARY KEY (account_id, simulated)
);

create table suppressions (
  id uuid not null default gen_random_uuid(),
  account_id uuid,
  simulated boolean not null,
  address_hash bytea not null,
  reason text,
  created_at timestamp with time zone not null,
  constraint suppressions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint suppressions_address_hash_check CHECK ((octet_length(address_hash) = 32)),
  constraint suppressions_pkey PRIMARY KEY (id)
);

create table tls_failures (
  report_id bigint not null,
  policy_type text not null,
  result text not null,
  mail_host text,
  mail_host_address inet,
  sender_address inet,
  reason text,
  sessions bigint not null,
  constraint tls_failures_report_id_fkey FOREIGN KEY (report_id) REFERENCES tls_reports(id) ON DELETE CASCADE,
  constraint tls_failures_sessions_check CHECK ((sessions > 0))
);

create table tls_reports (
  id bigint not null,
  monitor_id bigint not null,
  organization text not null,
  report_id text not null,
  begins_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  policies jsonb not null,
  successful bigint not null,
  failed bigint not null,
  row_count integer not null,
  left_out integer not null,
  received_at timestamp with time zone not null,
  reporter text,
  constraint tls_reports_failed_check CHECK ((failed >= 0)),
  constraint tls_reports_left_out_check CHECK ((left_out >= 0)),
  constraint tls_reports_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint tls_reports_monitor_id_organization_report_id_key UNIQUE (monitor_id, organization, report_id),
  constraint tls_reports_pkey PRIMARY KEY (id),
  constraint tls_reports_row_count_check CHECK ((row_count >= 0)),
  constraint tls_reports_successful_check CHECK ((successful >= 0))
);

create table unreadable_reports (
  id bigint not null,
  monitor_id bigint not null,
  reason text not null,
  sender_domain text,
  bytes integer not null,
  received_at timestamp with time zone not null,
  reporter text,
  constraint unreadable_reports_bytes_check CHECK ((bytes >= 0)),
  constraint unreadable_reports_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint unreadable_reports_pkey PRIMARY KEY (id)
);

create table usage_days (
  account_id uuid not null,
  utc_date date not null,
  key_id uuid not null,
  endpoint text not null,
  verdict text not null,
  reason text not null,
  simulated boolean not null,
  items bigint not null,
  credits bigint not null,
  free_credits bigint not null,
  constraint usage_days_credits_check CHECK ((credits >= 0)),
  constraint usage_days_free_credits_check CHECK ((free_credits >= 0)),
  constraint usage_days_items_check CHECK ((items >= 0)),
  constraint usage_days_pkey PRIMARY KEY (account_id, utc_date, key_id, endpoint, verdict, reason)
);

create table usage_refusals (
  account_id uuid not null,
  utc_date date not null,
  key_id uuid not null,
  status smallint not null,
  simulated boolean not null,
  refusals bigint not null,
  code text not null,
  constraint usage_refusals_pkey PRIMARY KEY (account_id, utc_date, key_id, status, code),
  constraint usage_refusals_refusals_check CHECK ((refusals > 0)),
  constraint usage_refusals_status_check CHECK ((status = ANY (ARRAY[402, 429])))
);

create table verification_settings (
  account_id uuid not null,
  simulated boolean not null,
  address_key bytea,
  constraint verification_settings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint verification_settings_pkey PRIMARY KEY (account_id, simulated)
);

create table webhook_attempts (
  delivery_id uuid not null,
  number integer not null,
  at timestamp with time zone not null,
  status smallint,
  error text,
  latency_ms integer not null,
  reply text not null,
  request_headers jsonb,
  request_bytes integer,
  request_body text,
  constraint webhook_attempts_check CHECK (((request_headers IS NULL) = (request_bytes IS NULL))),
  constraint webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries(id) ON DELETE CASCADE,
  constraint webhook_attempts_pkey PRIMARY KEY (delivery_id, number)
);

create table webhook_bodies (
  event_id uuid not null,
  max_results integer not null,
  batch_id bigint not null,
  body text not null,
  constraint webhook_bodies_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batches(id) ON DELETE CASCADE,
  constraint webhook_bodies_event_id_fkey FOREIGN KEY (event_id) REFERENCES webhook_events(id) ON DELETE CASCADE,
  constraint webhook_bodies_pkey PRIMARY KEY (event_id, max_results)
);

create table webhook_deliveries (
  id uuid not null default gen_random_uuid(),
  number bigint not null generated always as identity,
  endpoint_id uuid not null,
  event_id uuid not null,
  state text not null default 'pending'::text,
  attempts integer not null default 0,
  schedule_step integer not null default 0,
  due_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint webhook_deliveries_check CHECK (((finished_at IS NULL) = (state = 'pending'::text))),
  constraint webhook_deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
  constraint webhook_deliveries_event_id_endpoint_id_key UNIQUE (event_id, endpoint_id),
  constraint webhook_deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES webhook_events(id) ON DELETE CASCADE,
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text])))
);

create table webhook_endpoints (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  simulated boolean not null,
  url text not null,
  events text[] not null,
  created_via text not null,
  created_at timestamp with time zone not null,
  include_results integer not null default 1000,
  confirmed_at timestamp with time zone,
  enabled boolean not null default true,
  disabled_reason text,
  disabled_at timestamp with time zone,
  secret bytea not null,
  previous_secret bytea,
  previous_secret_expires_at timestamp with time zone,
  last_success_at timestamp with time zone,
  failing_since timestamp with time zone,
  paused_until timestamp with time zone,
  lane text not null default 'quick'::text,
  lease_owner uuid,
  lease_expires_at timestamp with time zone,
  constraint webhook_endpoints_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint webhook_endpoints_account_id_simulated_url_key UNIQUE (account_id, simulated, url),
  constraint webhook_endpoints_check CHECK (((enabled = (disabled_reason IS NULL)) AND (enabled = (disabled_at IS NULL)))),
  constraint webhook_endpoints_check1 CHECK (((previous_secret IS NULL) = (previous_secret_expires_at IS NULL))),
  constraint webhook_endpoints_created_via_check CHECK ((created_via = ANY (ARRAY['api'::text, 'batch'::text]))),
  constraint webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['owner'::text, 'gone'::text, 'failing'::text]))),
  constraint webhook_endpoints_include_results_check CHECK (((include_results >= 0) AND (include_results <= 1000))),
  constraint webhook_endpoints_lane_check CHECK ((lane = ANY (ARRAY['quick'::text, 'slow'::text]))),
  constraint webhook_endpoints_pkey PRIMARY KEY (id)
);

create table webhook_events (
  id uuid not null,
  account_id uuid not null,
  simulated boolean not null,
  type text not null,
  created_at timestamp with time zone not null,
  batch_id bigint,
  data text not null,
  sample boolean not null default false,
  constraint webhook_events_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint webhook_events_pkey PRIMARY KEY (id)
);

create table batch_chunks_default partition of batch_chunks DEFAULT;

create table batch_results_default partition of batch_results DEFAULT;

create table batch_rows_default partition of batch_rows DEFAULT;

CREATE INDEX accounts_claimed ON public.accounts USING btree (claimed_by) WHERE (claimed_by IS NOT NULL);

CREATE INDEX accounts_listing ON public.accounts USING btree (kind, created_at, id);

CREATE INDEX accounts_region ON public.accounts USING btree (region) WHERE (region IS NOT NULL);

CREATE INDEX agent_registrations_address ON public.agent_registrations USING btree (client_address);

CREATE INDEX agent_registrations_listing ON public.agent_registrations USING btree (registered_at, account_id);

CREATE INDEX api_keys_last_four ON public.api_keys USING btree (last_four);

CREATE INDEX api_keys_listing ON public.api_keys USING btree (account_id, created_at, id);

CREATE INDEX api_keys_maker ON public.api_keys USING btree (maker_id) WHERE (maker_id IS NOT NULL);

CREATE INDEX api_keys_rotator ON public.api_keys USING btree (rotator_id) WHERE (rotator_id IS NOT NULL);

CREATE INDEX api_keys_successor ON public.api_keys USING btree (successor_id) WHERE (successor_id IS NOT NULL);

CREATE INDEX audit_log_account ON public.audit_log USING btree (account_id, id);

CREATE INDEX audit_log_name_runs ON public.audit_log USING btree (at) WHERE (action = 'enumeration.suspect'::text);

CREATE INDEX audit_log_own ON public.audit_log USING btree (account_id, simulated, id) WHERE (simulated IS NOT NULL);

CREATE INDEX batch_chunks_leased ON ONLY public.batch_chunks USING btree (worker_id) WHERE ((NOT done) AND (worker_id IS NOT NULL));

CREATE INDEX batch_chunks_open ON ONLY public.batch_chunks USING btree (batch_id, partition, number) WHERE (NOT done);

CREATE INDEX batch_chunks_poisoned ON ONLY public.batch_chunks USING btree (batch_id) WHERE ((NOT done) AND (attempts >= 3));

CREATE INDEX batch_chunks_waiting ON ONLY public.batch_chunks USING btree (batch_id) WHERE ((NOT done) AND (pass > 0));

CREATE INDEX batch_remains_by_account ON public.batch_remains USING btree (account_id);

CREATE INDEX batches_by_webhook_url ON public.batches USING btree (account_id, webhook_url) WHERE (webhook_url IS NOT NULL);

CREATE INDEX batches_expiring ON public.batches USING btree (expires_at);

CREATE INDEX batches_held ON public.batches USING btree (account_id, simulated) WHERE (state = 'held'::text);

CREATE INDEX batches_large ON public.batches USING btree (finished_at) WHERE ((finished_at IS NOT NULL) AND (kind = 'verify'::text) AND (total_rows >= 10000));

CREATE INDEX batches_listing ON public.batches USING btree (account_id, simulated, kind, created_at, id) WHERE (state <> 'receiving'::text);

CREATE INDEX batches_unfinished ON public.batches USING btree (created_at) WHERE (finished_at IS NULL);

CREATE INDEX batches_unkept ON public.batches USING btree (account_id, simulated) WHERE ((finished_at IS NOT NULL) AND (kept_from IS NOT NULL) AND (kind = 'verify'::text));

CREATE INDEX batches_versions ON public.batches USING btree (list_id, finished_at) WHERE (list_id IS NOT NULL);

CREATE INDEX blacklist_checks_created_at ON public.blacklist_checks USING btree (created_at);

CREATE INDEX blacklist_checks_listing ON public.blacklist_checks USING btree (account_id, simulated, created_at DESC, id DESC);

CREATE INDEX blacklist_health_history_at ON public.blacklist_health_history USING btree (at);

CREATE INDEX blacklist_health_history_listing ON public.blacklist_health_history USING btree (resolver, list, at DESC);

CREATE INDEX console_sessions_expiry ON public.console_sessions USING btree (expires_at);

CREATE INDEX console_sessions_key ON public.console_sessions USING btree (key_id, created_at);

CREATE INDEX credit_ledger_by_batch ON public.credit_ledger USING btree (account_id, batch_id, number) WHERE (batch_id IS NOT NULL);

CREATE INDEX credit_ledger_by_key ON public.credit_ledger USING btree (account_id, key_id, number) WHERE (key_id IS NOT NULL);

CREATE INDEX credit_ledger_given ON public.credit_ledger USING btree (account_id, number) WHERE (kind = ANY (ARRAY['grant'::text, 'adjust'::text]));

CREATE INDEX credit_reservations_expiring ON public.credit_reservations USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX credit_reservations_of_day ON public.credit_reservations USING btree (account_id, utc_date) WHERE (utc_date IS NOT NULL);

CREATE INDEX dmarc_failures_last_at ON public.dmarc_failures USING btree (last_at);

CREATE INDEX dmarc_reports_listing ON public.dmarc_reports USING btree (monitor_id, received_at DESC, id DESC);

CREATE INDEX dmarc_reports_period ON public.dmarc_reports USING btree (monitor_id, begins_at);

CREATE INDEX dmarc_reports_received_at ON public.dmarc_reports USING btree (received_at);

CREATE INDEX dmarc_rows_report ON public.dmarc_rows USING btree (report_id);

CREATE INDEX dmarc_sources_last_seen_at ON public.dmarc_sources USING btree (last_seen_at);

CREATE INDEX domain_checks_created_at ON public.domain_checks USING btree (created_at);

CREATE INDEX domain_checks_listing ON public.domain_checks USING btree (account_id, simulated, created_at DESC, id DESC);

CREATE INDEX erasures_by_time ON public.erasures USING btree (created_at, id);

CREATE INDEX erasures_due ON public.erasures USING btree (due_at) WHERE (finished_at IS NULL);

CREATE INDEX erasures_listing ON public.erasures USING btree (account_id, simulated, created_at, id);

CREATE INDEX erasures_of_account ON public.erasures USING btree (account_id, simulated) WHERE (finished_at IS NULL);

CREATE INDEX erasures_turns ON public.erasures USING btree (account_id, stepped_at);

CREATE INDEX failure_arrivals_monitor ON public.failure_arrivals USING btree (monitor_id, received_at);

CREATE INDEX failure_arrivals_received_at ON public.failure_arrivals USING btree (received_at);

CREATE INDEX idempotency_keys_expiring ON public.idempotency_keys USING btree (expires_at);

CREATE INDEX idempotency_keys_with_addresses ON public.idempotency_keys USING btree (account_id, simulated) WHERE (account_id IS NOT NULL);

CREATE INDEX kept_verdicts_by_age ON public.kept_verdicts USING btree (oldest_at);

CREATE INDEX kept_verdicts_loose ON public.kept_verdicts USING btree (account_id, simulated) WHERE (bucket = '-1'::integer);

CREATE INDEX list_schedules_due ON public.list_schedules USING btree (next_run_at) WHERE (enabled AND (running_batch_id IS NULL));

CREATE INDEX list_schedules_of_account ON public.list_schedules USING btree (account_id, simulated);

CREATE INDEX list_schedules_running ON public.list_schedules USING btree (running_batch_id) WHERE (running_batch_id IS NOT NULL);

CREATE INDEX monitor_events_at ON public.monitor_events USING btree (at);

CREATE INDEX monitor_events_listing ON public.monitor_events USING btree (monitor_id, at DESC, id DESC);

CREATE INDEX monitor_findings_listing ON public.monitor_findings USING btree (monitor_id, first_seen_at DESC, id DESC);

CREATE INDEX monitor_findings_resolved_at ON public.monitor_findings USING btree (resolved_at) WHERE (state = 'resolved'::text);

CREATE UNIQUE INDEX monitor_findings_subject ON public.monitor_findings USING btree (monitor_id, code, subject);

CREATE INDEX monitor_findings_turned ON public.monitor_findings USING btree (list, turned_at) WHERE (turned_at IS NOT NULL);

CREATE INDEX monitor_runs_finished_at ON public.monitor_runs USING btree (finished_at);

CREATE INDEX monitor_runs_listing ON public.monitor_runs USING btree (monitor_id, finished_at DESC, id DESC);

CREATE INDEX monitor_runs_result_of ON public.monitor_runs USING btree (result_of);

CREATE INDEX monitors_due ON public.monitors USING btree (next_run_at) WHERE (paused IS NULL);

CREATE INDEX monitors_listing ON public.monitors USING btree (account_id, simulated, created_at DESC, id DESC);

CREATE INDEX opt_out_links_ended ON public.opt_out_links USING btree (ends_at);

CREATE INDEX opt_outs_ended ON public.opt_outs USING btree (ends_at);

CREATE INDEX opt_outs_listing ON public.opt_outs USING btree (made_at, id);

CREATE INDEX placement_arrivals_due ON public.placement_arrivals USING btree (seed_id, due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX placement_messages_received_at ON public.placement_messages USING btree (received_at);

CREATE INDEX placement_tests_created_at ON public.placement_tests USING btree (created_at);

CREATE INDEX placement_tests_due ON public.placement_tests USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX placement_tests_listing ON public.placement_tests USING btree (account_id, simulated, created_at DESC, id DESC);

CREATE INDEX suppressions_listing ON public.suppressions USING btree (account_id, simulated, created_at, id);

CREATE UNIQUE INDEX suppressions_of_account ON public.suppressions USING btree (address_hash, account_id, simulated) WHERE (account_id IS NOT NULL);

CREATE UNIQUE INDEX suppressions_of_all ON public.suppressions USING btree (address_hash) WHERE (account_id IS NULL);

CREATE INDEX tls_failures_report ON public.tls_failures USING btree (report_id);

CREATE INDEX tls_reports_listing ON public.tls_reports USING btree (monitor_id, received_at DESC, id DESC);

CREATE INDEX tls_reports_period ON public.tls_reports USING btree (monitor_id, begins_at);

CREATE INDEX tls_reports_received_at ON public.tls_reports USING btree (received_at);

CREATE INDEX unreadable_reports_listing ON public.unreadable_reports USING btree (monitor_id, received_at DESC, id DESC);

CREATE INDEX unreadable_reports_received_at ON public.unreadable_reports USING btree (received_at);

CREATE INDEX webhook_bodies_by_batch ON public.webhook_bodies USING btree (batch_id);

CREATE INDEX webhook_deliveries_listing ON public.webhook_deliveries USING btree (endpoint_id, created_at, id);

CREATE INDEX webhook_deliveries_pending ON public.webhook_deliveries USING btree (endpoint_id, due_at, number) WHERE (state = 'pending'::text);

CREATE INDEX webhook_endpoints_listing ON public.webhook_endpoints USING btree (account_id, simulated, created_at, id);

CREATE INDEX webhook_events_by_account ON public.webhook_events USING btree (account_id);

CREATE INDEX webhook_events_by_time ON public.webhook_events USING btree (created_at);

CREATE TRIGGER audit_log_is_append_only BEFORE DELETE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

CREATE TRIGGER audit_log_lets_forget BEFORE UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION let_audit_forget();

CREATE TRIGGER batches_delete_parts AFTER DELETE ON public.batches REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION delete_batch_parts();

CREATE TRIGGER credit_ledger_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.credit_ledger FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();

comment on column accounts.policy is 'a row of config/key-policies.json';

comment on column accounts.contact_email is 'personal data: whom administrators write to';

comment on column accounts.note is 'of administrators, for administrators';

comment on column accounts.claimed_by is 'the full account that has taken this agent under it';

comment on column accounts.region is 'whose workers alone work on its batches; null: anybody';

comment on column agent_daily_pool.capacity is 'set by an administrator for this day; null: AGENT_DAILY_CAPACITY';

comment on column agent_registrations.client_address is 'personal data: kept to find and revoke what one address registered, gone with the account';

comment on column agent_registrations.claim_token_hash is 'who shows this token takes the agent under their account';

comment on column api_keys.permissions is 'null: all';

comment on column api_keys.networks is 'CIDR; null: everywhere';

comment on column api_keys.ceiling_id is 'null: the key may spend what its account has; of an agent: nothing beyond its free credits';

comment on column api_keys.revoked_at is 'refused from then on; in the future while a rotated key has its grace';

comment on column api_keys.successor_id is 'the key that rotation put in its place';

comment on column api_keys.maker_kind is 'null: an agent that registered itself, or a key older than this column';

comment on column api_keys.maker_id is 'the key that made it, or of an agent that claimed it; null: the command line';

comment on column api_keys.rotator_id is 'the key that put it in the place of another; null: it is in no place of another, or by the command line';

comment on table audit_log is 'every change that an administrator or an account made; rows outlive the accounts and keys that they name';

comment on column audit_log.actor_id is 'the key that acted; null for the command line';

comment on column audit_log.origin is 'client address, or the machine of the command line';

comment on column audit_log.simulated is 'mode of the account''s keys that see the entry; null: administrators alone do';

comment on table batch_chunks is 'the work: each item once, at most 1,000 in a chunk';

comment on column batch_chunks.partition is 'chunks with items in common: those of one mail operator, or of one mail domain, are in one partition';

comment on column batch_chunks.partitioned_by is 'domain: a worker puts the items into partitions by mail operator before it works on them; operator: the chunk is worked on as it is';

comment on column batch_chunks.items is 'JSON: addresses, or people as batches.kind says';

comment on column batch_chunks.duplicates is 'pairs: offset of an item that was sent more than once, and how many further rows it answers';

comment on column batch_chunks.kept is 'verdicts that items are given again, by offset';

comment on column batch_chunks.pass is 'the number by which its results are stored; without taken_passes: 0, then the number of a time in the retry window';

comment on column batch_chunks.offsets is 'the items of this pass; null: all';

comment on column batch_chunks.later_offsets is 'items that wait for the pass at half of the retry window';

comment on column batch_chunks.waiting_counts is 'how many items wait, by reason: greylisted, rate_limited, temporary_failure, smtp_timeout, dns_error, ip_blocked, smtp_unreachable, enumeration_suspected';

comment on column batch_chunks.window_ends_at is 'nothing of the chunk is put off beyond it; null before its first pass has ended';

comment on column batch_chunks.retry_sources is 'JSON: names of sending addresses with the offsets that each has to come back for, because hosts have seen it';

comment on column batch_chunks.attempts is 'how often workers began this pass without storing its results';

comment on column batch_chunks.due_at is 'no worker begins this pass earlier';

comment on column batch_chunks.worker_id is 'the process that has the lease: it holds an advisory lock with this number as long as it lives';

comment on column batch_chunks.lease_owner is 'one acquisition of chunks by a worker, which renews and releases them together';

comment on column batch_chunks.lease_expires_at is 'other workers may take the chunk from then on; without a lease it is a pause';

comment on column batch_chunks.taken_passes is 'passes that a correction added, which are no tries of the retry window';

comment on column batch_chunks.free_offsets is 'items that a correction refunded: their next answers cost nothing; null: none';

comment on table batch_ordered_results is 'the results of large batches that have ended, again, in the order in which their rows were sent: a block of 1,000 rows in each';

comment on column batch_ordered_results.items is 'JSON: what was verified, by place in the block; empty for a row without a result';

comment on column batch_ordered_results.results is 'packed like those of a chunk, with the place in the block as offset';

comment on column batch_ordered_results.facts is 'JSON: verdict, reason and mail operator, each combination that a row of the block has';

comment on column batch_ordered_results.domains is 'four bytes of the hash of each domain of its rows, ascending';

comment on table batch_remains is 'deleted batches whose rows, chunks and results may still be there: they go with the partitions of their days, at the latest a day after the batch';

comment on table batch_results is 'what one pass over one chunk settled; the primary key lets it be stored once';

comment on table batch_rows is 'what was sent, in its order: a block of 1,000 rows in each';

comment on column batch_rows.items is 'JSON: by offset, as sent, the duplicates of earlier rows; all other items are stored in their chunk only';

comment on column batch_rows.row_refs is 'for each row the chunk and offset that answer it: 4 bytes (little-endian), chunk * 1000 + offset';

comment on column batch_rows.extra_columns is 'JSON: the other columns of a CSV, an array for each row';

comment on table batch_settings is 'of accounts that have chosen something else than the defaults, by mode';

comment on column batch_settings.simulated is 'of the test mode; else of the live one';

comment on column batch_settings.retention_days is 'null: as long as the plan lets batches be kept';

comment on column batch_settings.retry_window_seconds is 'null: as the installation says';

comment on table batch_summaries is 'rows of ended batches by reason, domain and mail operator: of a large one counted soon after its end, of others when somebody asks first';

comment on column batch_summaries.finished_at is 'the end of the batch whose results were counted; a batch that was begun again has another one';

comment on column batch_summaries.erasures is 'those of the batch when its results were counted';

comment on column batch_summaries.summary is 'JSON';

comment on table batch_waits is 'partitions whose pace is set by the caps of a mail operator';

comment on column batch_waits.until is 'the end of the partition at the pace that its worker measured last';

comment on table batch_workers is 'processes that work on batches; alive is whose advisory lock is held';

comment on column batch_workers.region is 'whose accounts it works for, beside those without one; null: only those without';

comment on column batches.id is 'the day on which it was made, and a random number, which does not reveal how many batches there are: the partitions of rows, chunks and results are ranges of it';

comment on column batches.kind is 'verify: the items are addresses; find: people, written as JSON of the name and @domain';

comment on column batches.state is 'receiving: the upload is under way, and no caller sees the batch; held: it waits for the order of its owner, without a reservation';

comment on column batches.list_id is 'the list that this batch verifies again; null: it becomes a list itself';

comment on column batches.columns is 'JSON: names of the other columns, and the layout of a CSV of addresses';

comment on column batches.retry_window_seconds is 'null: as the installation says';

comment on column batches.malformed is 'distinct items that can have no answer but one of syntax; null: not counted, because it was never held';

comment on column batches.open_chunks is 'the transaction that stores the last result of the last chunk completes the batch';

comment on column batches.valid is 'the four verdicts count rows, so that a duplicate counts as often as it was sent';

comment on column batches.reused is 'addresses that are given a verdict again';

comment on column batches.kept_from is 'the first chunk whose verdicts are not kept for reuse; null: all are';

comment on column batches.erasures is 'how often addresses were erased from it: what was read before that is not kept afterwards';

comment on column batches.is_ordered is 'all its results stand in batch_ordered_results too';

comment on column batches.trace_id is 'of the request that made it (W3C trace context): logs and webhooks name it';

comment on column batches.expires_at is 'when the cleanup deletes the batch with its rows, chunks and results';

comment on column blacklist_checks.id is 'random, so that it does not reveal how many checks there are';

comment on column blacklist_checks.results is 'as they were answered';

comment on table blacklist_health is 'what the test points of block lists have shown, for each resolver that asked';

comment on column blacklist_health.kind is 'of targets: a list may work for addresses of one family only';

comment on column blacklist_health.since is 'when the state was first seen';

comment on table blacklist_health_history is 'changes of blacklist_health.state, for 90 days';

comment on table blacklist_suspicions is 'lists that many watched targets turned listed on at once: what they say is not told until the suspicion ends';

comment on table blacklists_off is 'block lists that administrators have turned off: nobody asks them';

comment on column console_sessions.id_hash is 'SHA-256 of what the cookie holds';

comment on column console_sessions.actor_kind is 'who acts: today always the holder of the key';

comment on column console_sessions.expires_at is 'moves on with use, up to seven days after it was made';

comment on column console_sessions.client_address is 'personal data: of the sign-in, gone with the session';

comment on column credit_balances.available is 'the sum of the account''s ledger';

comment on column credit_balances.reserved is 'taken from available for work that still runs: the sum of the account''s reservations';

comment on column credit_balances.entries is 'number of the account''s last ledger entry';

comment on table credit_ledger is 'every change of every balance; no foreign key, since only the statement that changes a balance writes here';

comment on column credit_ledger.number is 'counts the account''s entries from 1 without a gap';

comment on column credit_ledger.batch_id is 'the batch, and the list that it becomes, for which the entry is; it may be deleted';

comment on column credit_ledger.ceiling_id is 'the ceilings of the key on which the credits count';

comment on column credit_ledger.actor is 'who granted or adjusted';

comment on table credit_reservations is 'credits taken for work that still runs; a row past expires_at belonged to a process that died';

comment on column credit_reservations.utc_date is 'the day whose allowance and pool the credits came from; null: they came from the account''s balance';

comment on column credit_reservations.amount is 'what is left of it: work of many parts is charged part by part';

comment on column credit_reservations.expires_at is 'null for work that outlives its process';

comment on column credit_reservations.ceiling_id is 'the ceilings of the key, on which the credits were counted on ceiling_date; null: it had none';

comment on column credit_reservations.paid_part_id is 'of free credits: the reservation that pays for the rest of the same batch of a claimed agent, once these are used up';

comment on table demonstrations is 'its one row says that the embedded default has made its demonstration account';

comment on table dmarc_failures is 'reports of single messages that failed (RFC 9991), summed by source: no address and nothing of a message';

comment on table dmarc_reports is 'aggregate reports (RFC 9990): each counts once, however often it is sent';

comment on column dmarc_reports.id is 'random, so that it does not reveal how many reports there are';

comment on column dmarc_reports.domain is 'the domain of the monitor, or one below it';

comment on column dmarc_reports.policy is 'as the reporter read it';

comment on column dmarc_reports.reporter is 'the domain in whose own room it was kept, for which its mail passed SPF; null: in that of all';

comment on table dmarc_sources is 'addresses that sent in the name of a domain, so that each is told once';

comment on column dmarc_sources.known_at is 'when its owner was told, or it was seen while the domain was learned; null: too few messages yet';

comment on column domain_checks.id is 'random, so that it does not reveal how many checks there are';

comment on column domain_checks.result is 'as it was answered';

comment on table domain_patterns is 'how a company makes addresses of names: counts, never an address';

comment on column domain_patterns.pattern is 'such as {first}.{last}';

comment on table erasure_batches is 'batches that an erasure has not looked through yet';

comment on column erasure_batches.batch_id is 'no foreign key: the deletion of a batch has nothing to do with it';

comment on table erasures is 'addresses that leave everything of an account; afterwards the receipts, without the addresses';

comment on column erasures.address is 'sealed with SECRETS_KEY; null once the work is over';

comment on column erasures.state is 'waiting: for batches that still run; failed: for the reason in failure';

comment on column erasures.rows is 'of batches';

comment on column erasures.bodies is 'of webhooks';

comment on column erasures.answers is 'of receivers of webhooks';

comment on column erasures.agents is 'claimed ones that named the address at their registration';

comment on column erasures.names is 'of accounts, keys and browsers';

comment on column erasures.acts is 'entries of the audit log that have lost a text';

comment on column erasures.looked_at is 'when all but batches was looked through for the first time; it is once more at the end';

comment on column erasures.due_at is 'no process looks again before';

comment on column erasures.stepped_at is 'when a step of it was done or has failed last: the account whose newest is the oldest comes next';

comment on column erasures.failures is 'steps in a row that have failed';

comment on column erasures.failure is 'address_unreadable: nothing can open it any more; steps_failed: for days';

comment on table failure_arrivals is 'reports of single messages that were counted in dmarc_failures in the last day: how many a domain takes';

comment on column failure_arrivals.reporter is 'the domain in whose own room it was counted, for which its mail passed SPF or DKIM; null: in that of all';

comment on column idempotency_keys.scope_hash is 'SHA-256 of account, kind of key, route and Idempotency-Key';

comment on column idempotency_keys.fingerprint is 'keyed hash of the request; null while a streamed body still comes, and of an erased reply';

comment on column idempotency_keys.lease_owner is 'the attempt that does the work; another may take over once its lease has ended';

comment on column idempotency_keys.reply is 'sealed with SECRETS_KEY; empty once an address of it was erased';

comment on column idempotency_keys.account_id is 'whose reply it is, when it holds addresses';

comment on column idempotency_keys.address_tags is 'keyed hashes of the addresses in the reply, by which it is found to be erased';

comment on table kept_verdicts is 'verdicts that may be given again, by keyed hashes of their addresses, many in a row';

comment on column kept_verdicts.bucket is 'first byte of the hashes; -1: any, until there are enough to be put into buckets';

comment on column kept_verdicts.oldest_at is 'of the verdicts: 90 days later the row is deleted';

comment on table key_ceilings is 'what keys may spend of a balance: a key, those that took its place and those that it made share a row';

comment on column key_ceilings.used_date is 'the UTC day that used_day counts, in the month that used_month counts; null before the first reservation';

comment on column key_ceilings.used_total is 'charged, and reserved for work that still runs';

comment on table ledger_drift is 'by how much ledgers and balances differed when they were compared last; one row';

comment on table ledger_sums is 'how far the ledger of an account has been added up, so that only newer entries are read to compare it with the balance';

comment on table list_changes is 'what a run found changed, without addresses: those are in the chunks of its batch';

comment on column list_changes.ref is 'place of the address in the batch: chunk * 1000 + offset';

comment on table list_schedules is 'lists that are verified again and again';

comment on column list_schedules.key_id is 'the key that orders its runs';

comment on column list_schedules.verdicts is 'answers that are asked for again, besides unknown; null: all';

comment on column list_schedules.running_batch_id is 'set in the transaction that queues the batch of a run, and null again in the one that compares it';

comment on column list_schedules.running_source_id is 'the version that the run is compared with';

comment on table monitor_events is 'the timeline of monitors, to which nobody but the clean-up does anything but add';

comment on column monitor_events.run_id is 'no foreign key: the event stays when the run is forgotten';

comment on table monitor_findings is 'one row for each thing that was ever wrong: when it comes again, it is the same finding';

comment on column monitor_findings.flips is 'when it came or went lately: often is flapping';

comment on column monitor_findings.told is 'what the owner knows; null: nothing';

comment on column monitor_findings.list is 'the block list that has the subject';

comment on column monitor_findings.turned_at is 'when it turned listed under our eyes: many at once are the fault of the list';

comment on column monitor_findings.incident_id is 'from the first look that sees it to its end; null: it was seen before incidents were numbered';

comment on column monitor_runs.facts_hash is 'of what was published and listed, whatever its order';

comment on column monitor_runs.changed is 'facts or findings are others than those of the run before: such a run is kept longest';

comment on column monitor_runs.result_of is 'the run that found the same first and holds the result: itself, or one before';

comment on column monitor_runs.untrusted is 'answers of our own resolver were not believed, so that something is unanswered';

comment on table monitors is 'domains and addresses that are looked at again and again';

comment on column monitors.id is 'random, so that it does not reveal how many monitors there are';

comment on column monitors.state is 'as the last run left it, also while it is paused';

comment on column monitors.paused is 'who keeps it from running; null: nobody';

comment on column monitors.holder is 'the process that runs it now: what it has found counts as long as it holds the row';

comment on column monitors.runs is 'how many have ended: the worlds of test keys change by it';

comment on column monitors.asked_at is 'when somebody asked for a run last';

comment on column monitors.unanswered_since is 'the first of the runs in a row that learned nothing';

comment on column monitors.stalled_at is 'when its owner was told of them; null: not yet';

comment on column monitors.watched is 'targets that the last run asked block lists about';

comment on column monitors.memory is 'what the next run must know, such as selectors that were found';

comment on table operator_circuits is 'mail operators that refuse a process of ours at a source';

comment on column operator_circuits.address is 'our own address at the source; empty where a proxy connects for us';

comment on column operator_circuits.last_refusal is 'its codes; its text may hold a recipient';

comment on column operator_circuits.seen_at is 'told again while it is so: what is old is of a process that is gone';

comment on table operator_measures is 'what mail operators that are believed to refuse unknown names answer to made-up ones';

comment on column operator_measures.asked_at is 'the turn of an hour, which one process has taken; it may have got no answer';

comment on column operator_measures.accepted_in_a_row is 'at most 2: then an acceptance proves nothing';

comment on column operator_measures.accepts_all_since is 'null: it is believed';

comment on column operator_measures.answered_at is 'the last answer that was an acceptance or a refusal of the name, as are domain, host and reply; null: none was';

comment on table operator_pauses is 'mail operators to which nobody connects';

comment on column operator_pauses.ends_at is 'null: until an administrator resumes it';

comment on table opt_out_links is 'links that were mailed to postmasters and not used yet';

comment on table opt_outs is 'domains and mail hosts that nobody asks about mailboxes any more';

comment on column opt_outs.name is 'in lower case and A-labels; names below it are left alone too';

comment on column opt_outs.ends_at is 'at most 400 days after made_at; whoever opts out again renews it';

comment on table placement_arrivals is 'one for each test and seed, written with the test';

comment on column placement_arrivals.placement is 'null: not found, so far or at all';

comment on column placement_arrivals.arrived_at is 'as the mailbox has it';

comment on column placement_arrivals.authentication is 'what the provider itself says of SPF, DKIM and DMARC';

comment on column placement_arrivals.evidence is 'headers of the provider''s filters, as they came';

comment on column placement_arrivals.looks is 'since base_at, or since the test was made';

comment on column placement_arrivals.base_at is 'the first arrival of the test, once looks are counted from there';

comment on column placement_arrivals.looked_at is 'when the mailbox was last read';

comment on column placement_arrivals.fault is 'why the last look could not read it; null: it did';

comment on column placement_arrivals.due_at is 'the next look; null: there is none any more';

comment on table placement_messages is 'the own copy of the mail of a test, for 7 days';

comment on column placement_messages.mail_from is 'of the envelope; empty for a bounce';

comment on column placement_messages.client_name is 'what the client called itself in HELO or EHLO';

comment on column placement_messages.tls is 'the version of TLS by which it came; null: in clear';

comment on column placement_messages.raw is 'gzip, as it came';

comment on table placement_seeds is 'mailboxes of the operator at mail operators';

comment on column placement_seeds.authserv_id is 'whose Authentication-Results are believed, where the provider has no row that says it';

comment on column placement_seeds.credentials is 'sealed';

comment on column placement_seeds.why is 'of the last failure, or of the one who turned it off';

comment on column placement_seeds.failures is 'health checks in a row that could not read it';

comment on column placement_seeds.check_due_at is 'when its health is checked next';

comment on column placement_seeds.paused_until is 'it is not connected to before';

comment on column placement_seeds.lease_owner is 'the worker that reads it: nobody else connects to it meanwhile';

comment on column placement_tests.id is 'random, so that it does not reveal how many tests there are';

comment on column placement_tests.token is 'in the address and the marker of the test; who knows it may send to the test';

comment on column placement_tests.seeds is 'as it was asked for: "all", "none" or a list of providers';

comment on column placement_tests.world is 'the mail world that plays the test, in test mode; null: a mail is waited for';

comment on column placement_tests.reservation_id is 'of its credits; null in test mode, which charges nothing';

comment on column placement_tests.messages is 'mails that came; the first is kept and judged';

comment on column placement_tests.attempts is 'looks at the test since it last went on: a message that ends processes is given up';

comment on column placement_tests.report is 'what the own copy told, as it is answered; null: not yet, or it could not be made';

comment on column placement_tests.placement is 'what the seeds told at the end, as it is answered; null: no seeds';

comment on column placement_tests.due_at is 'when a worker looks at it next; the one that does moves it ahead first, so that another comes when it dies';

comment on table port25_states is 'whether connections to mail hosts leave the machine of a process';

comment on column port25_states.answered_at is 'null: no mail host has answered the process';

comment on column port25_states.seen_at is 'told again while it is so: what is old is of a process that is gone';

comment on table report_addresses is 'monitors of domains that asked for an address to which reports are sent';

comment on column report_addresses.challenge is 'what the owner of the domain publishes to prove it; another account has another one';

comment on column report_addresses.verified_at is 'null: it is not proven whose the domain is, and mail is refused';

comment on column report_addresses.unreadable is 'reports that could not be kept, ever: of the last of them unreadable_reports knows why';

comment on table resolver_doubts is 'processes that do not believe their DNS resolver, because it lies';

comment on column resolver_doubts.seen_at is 'told again while it is so: what is old is of a process that is gone';

comment on table source_checks is 'what mail hosts look at of a sending address of ours, as the last check has found it';

comment on table source_conditions is 'sending addresses that an administrator has taken out; those that are not here ask';

comment on column source_conditions.condition is 'drained: only asks those who must come back to it; paused: asks nobody';

comment on table source_listings is 'block lists that have a sending address of ours';

comment on table source_looks is 'when a sending address of ours was looked at last, or a process began to';

comment on column source_looks.identity is 'JSON of what it was then: address, proxy, HELO name, MAIL FROM';

comment on table source_refusals is 'what mail operators refused our sending addresses, by hours of the last day';

comment on column source_refusals.operator is 'other: one of very many without a row of their own';

comment on column source_refusals.last_text is 'what the mail host wrote, on one line and without addresses';

comment on table source_reports is 'what a process has seen of a sending address of ours';

comment on column source_reports.resting_until is 'null: neither the address nor its proxy has a fault';

comment on column source_reports.seen_at is 'told again while it is so: what is old is of a process that is gone';

comment on table source_rests is 'sending addresses of ours that rest by themselves, since a block list has them';

comment on column source_rests.clean_checks is 'in a row; the second one ends the rest';

comment on table source_watch is 'when our sending addresses are looked at next, and which process does it';

comment on table suppression_settings is 'of accounts that have chosen something else than the defaults, by mode';

comment on column suppression_settings.simulated is 'of the test mode; else of the live one';

comment on table suppressions is 'who asked not to be found';

comment on column suppressions.account_id is 'for whom it holds; null: for everybody';

comment on column suppressions.simulated is 'made with a test key, and for test keys only';

comment on column suppressions.address_hash is 'SHA-256 of the address in lower case, without its +tag';

comment on column tls_failures.reason is 'in the words of the reporter';

comment on table tls_reports is 'reports on the encryption of mail to a domain (RFC 8460): each counts once, however often it is sent';

comment on column tls_reports.id is 'random, so that it does not reveal how many reports there are';

comment on column tls_reports.policies is 'what the sender kept to, each with its sessions';

comment on column tls_reports.row_count is 'its failures';

comment on column tls_reports.reporter is 'the domain in whose own room it was kept, for which its mail passed SPF; null: in that of all';

comment on table unreadable_reports is 'why mails to the address for reports were none; the last ones of each monitor';

comment on column unreadable_reports.sender_domain is 'of the envelope, as it says of itself: nobody has proven it';

comment on column unreadable_reports.reporter is 'the domain for which its mail passed SPF or DKIM, and in whose own room it is listed; null: in that of all';

comment on table usage_days is 'what was done and charged on a day, written by the statement that charges; rows outlive the keys that they name';

comment on column usage_days.credits is 'charged to the balance: the sum of an account is what its ledger charges';

comment on column usage_days.free_credits is 'charged to the daily allowance of an agent';

comment on table usage_refusals is 'requests refused for want of credits, or for their rate; counted in memory and written now and then';

comment on column usage_refusals.code is 'what the caller was told (docs/errors.md)';

comment on table verification_settings is 'of accounts that have used reuse_days or chosen something, by mode';

comment on column verification_settings.address_key is 'of the hashes of kept verdicts, sealed with SECRETS_KEY; null: reuse is off';

comment on column webhook_attempts.error is 'why there is no status, such as timeout';

comment on column webhook_attempts.reply is 'the first 1 KiB of the response body';

comment on column webhook_attempts.request_headers is 'as they were sent, the signature masked; null: none could be made';

comment on column webhook_attempts.request_bytes is 'length of the body that was sent';

comment on column webhook_attempts.request_body is 'its first 4,096 characters; null for one with results, which webhook_bodies holds as long as its batch is kept';

comment on table webhook_bodies is 'bodies with addresses, deleted with their batch';

comment on column webhook_bodies.max_results is 'include_results of the endpoints that get this body';

comment on column webhook_deliveries.number is 'order of creation where times are equal';

comment on column webhook_deliveries.schedule_step is 'attempts of the present schedule; a redelivery restarts it';

comment on column webhook_endpoints.simulated is 'registered by a test key: gets the events of test keys only';

comment on column webhook_endpoints.created_via is 'batch: the webhook_url of a batch, which gets the events of the batches that name it';

comment on column webhook_endpoints.include_results is 'so many rows of results a body carries at most';

comment on column webhook_endpoints.confirmed_at is 'first 2xx from the present url; null: it is sent no results';

comment on column webhook_endpoints.secret is 'sealed with SECRETS_KEY; signing needs it in clear';

comment on column webhook_endpoints.failing_since is 'first failure after the last success';

comment on column webhook_endpoints.paused_until is 'by Retry-After, or by the rate limit of its host';

comment on column webhook_endpoints.lane is 'slow: its last attempt failed or took long, so it shares few permits with others like it and quick endpoints never wait for it';

comment on column webhook_endpoints.lease_owner is 'the worker that delivers; one at a time, so that deliveries keep their order';

comment on table webhook_events is 'the outbox: written in the transaction that causes the event';

comment on column webhook_events.id is 'the webhook-id of every delivery, each attempt of it';

comment on column webhook_events.batch_id is 'no foreign key: the event stays when the batch is deleted';

comment on column webhook_events.data is 'JSON, without addresses';

comment on column webhook_events.sample is 'an example that a customer asked for: nothing has happened';
