import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call, type Reply } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';
import { makeThing } from '../support/things.js';
import { startWebhookSink, TO_LOOPBACK, type WebhookSink } from '../support/webhook-sink.js';
import { bodyOnce, isCompleted } from '../support/next-look.js';

/** In which lines of an export the rows of a table are, or why in none. */
const EXPORTED: Readonly<Record<string, { readonly as: string } | string>> = {
  accounts: { as: 'account' },
  agent_daily_pool: 'of the installation',
  agent_daily_usage: 'the usage of the agents',
  agent_registrations: 'agents are of live keys: test/api/export.spec.ts',
  api_keys: { as: 'key' },
  audit_log: { as: 'audit_entry' },
  batch_chunks: { as: 'row' },
  batch_ordered_results: 'a copy of rows, for faster reading',
  batch_remains: 'numbers of deleted batches',
  batch_results: { as: 'row' },
  batch_rows: { as: 'row' },
  batch_settings: { as: 'settings' },
  batch_summaries: 'counts of rows, by reason, domain and mail operator',
  batch_waits: 'the pace of running work',
  batch_workers: 'of the installation',
  batches: { as: 'batch' },
  blacklist_checks: { as: 'blacklist_check' },
  blacklist_health: 'of the installation',
  blacklist_suspicions: 'of the installation',
  blacklist_health_history: 'of the installation',
  blacklists_off: 'of the installation',
  domain_checks: { as: 'domain_check' },
  dmarc_reports: { as: 'dmarc_report' },
  dmarc_rows: { as: 'dmarc_report' },
  dmarc_failures: { as: 'dmarc_failure' },
  unreadable_reports: { as: 'unreadable_report' },
  failure_arrivals: 'when reports came, for a day',
  dmarc_sources: 'sums of the rows of reports',
  tls_reports: { as: 'tls_report' },
  tls_failures: { as: 'tls_report' },
  report_addresses: 'words of ours for the proof of a domain',
  console_sessions: { as: 'session' },
  credit_balances: { as: 'credits' },
  credit_ledger: 'the ledger is the live mode’s: test/api/export.spec.ts',
  credit_reservations: 'credits_reserved of a batch, and entries of the ledger',
  demonstrations: 'of the installation',
  domain_patterns: 'of the installation: counts, without an account',
  erasure_batches: { as: 'erasure' },
  erasures: { as: 'erasure' },
  idempotency_keys: 'replies that were given, sealed, for a day',
  kept_verdicts: 'hashes of what rows hold',
  key_ceilings: { as: 'key' },
  ledger_drift: 'of the installation',
  ledger_sums: 'the sum of the ledger',
  list_changes: { as: 'change' },
  list_schedules: { as: 'schedule' },
  migrations: 'of the installation',
  opt_out_links: 'of the installation',
  opt_outs: 'of the installation',
  monitor_events: { as: 'monitor_event' },
  monitor_findings: { as: 'monitor_finding' },
  monitor_runs: { as: 'monitor_run' },
  monitors: { as: 'monitor' },
  operator_circuits: 'of the installation',
  operator_measures: 'of the installation',
  operator_pauses: 'of the installation',
  placement_arrivals: { as: 'placement_test' },
  placement_messages: 'the mail that was sent to a test, for 7 days: GET /api/v1/placement/tests/{id}/message',
  placement_seeds: 'of the installation',
  placement_tests: { as: 'placement_test' },
  port25_states: 'of the installation',
  resolver_doubts: 'of the installation',
  source_checks: 'of the installation',
  source_conditions: 'of the installation',
  source_listings: 'of the installation',
  source_looks: 'of the installation',
  source_refusals: 'of the installation',
  source_reports: 'of the installation',
  source_rests: 'of the installation',
  source_watch: 'of the installation',
  suppression_settings: { as: 'settings' },
  suppressions: { as: 'suppression' },
  usage_days: { as: 'usage' },
  usage_refusals: { as: 'refusals' },
  verification_settings: { as: 'settings' },
  webhook_attempts: { as: 'delivery' },
  webhook_bodies: 'made of rows, for one delivery',
  webhook_deliveries: { as: 'delivery' },
  webhook_endpoints: { as: 'webhook' },
  webhook_events: { as: 'delivery' },
};

/** Parts of tables, which are told of as a whole. */
const PARTITIONS = 'ARRAY(SELECT relname FROM pg_class WHERE relispartition)';

const ERASED = 'erased';
/** A word of ours, a code, or the text of an operator of a mail host: nothing that a caller writes. */
const OURS = 'ours';
/** Nothing opens it without SECRETS_KEY; replies with the address are found by tags, orders and secrets end by themselves. */
const SEALED = 'sealed';
/** Why an address in it stays is told by docs/privacy.md. */
const KEPT = 'kept';

/** What an erasure does to an address in each column that holds text. */
const ERASURE_OF: Readonly<Record<string, string>> = {
  'accounts.contact_email': KEPT,
  'accounts.kind': OURS,
  'accounts.name': ERASED,
  'accounts.note': KEPT,
  'accounts.policy': OURS,
  'accounts.region': OURS,
  'agent_registrations.contact': ERASED,
  'agent_registrations.purpose': ERASED,
  'api_keys.kind': OURS,
  'api_keys.last_four': OURS,
  'api_keys.maker_kind': OURS,
  'api_keys.name': ERASED,
  'api_keys.networks': OURS,
  'api_keys.permissions': OURS,
  'audit_log.action': OURS,
  'audit_log.actor': ERASED,
  'audit_log.details': ERASED,
  'audit_log.origin': OURS,
  'batch_chunks.items': ERASED,
  'batch_chunks.partitioned_by': OURS,
  'batch_chunks.retry_sources': OURS,
  'batch_ordered_results.facts': OURS,
  'batch_ordered_results.items': ERASED,
  'batch_ordered_results.results': ERASED,
  'batch_results.results': ERASED,
  'batch_rows.extra_columns': ERASED,
  'batch_rows.items': ERASED,
  'batch_summaries.summary': ERASED,
  'batch_workers.region': OURS,
  'batches.columns': ERASED,
  'batches.credit_source': OURS,
  'batches.kind': OURS,
  'batches.name': ERASED,
  'batches.policy': OURS,
  'batches.state': OURS,
  'batches.trace_id': OURS,
  'batches.webhook_url': KEPT,
  'blacklist_checks.results': OURS,
  'blacklist_health_history.kind': OURS,
  'blacklist_health_history.list': OURS,
  'blacklist_health_history.resolver': OURS,
  'blacklist_health_history.state': OURS,
  'blacklist_health_history.why': OURS,
  'blacklists_off.by': OURS,
  'blacklists_off.list': OURS,
  'blacklists_off.reason': OURS,
  'blacklist_health.kind': OURS,
  'blacklist_health.list': OURS,
  'blacklist_health.resolver': OURS,
  'blacklist_health.state': OURS,
  'blacklist_health.why': OURS,
  'blacklist_suspicions.list': OURS,
  'console_sessions.actor_kind': OURS,
  'console_sessions.user_agent': ERASED,
  'credit_ledger.actor': KEPT,
  'credit_ledger.kind': OURS,
  'credit_ledger.purpose': OURS,
  'credit_reservations.purpose': OURS,
  'dmarc_failures.delivery': OURS,
  'dmarc_failures.dkim_domain': OURS,
  'dmarc_failures.dkim_selector': OURS,
  'dmarc_failures.domain': OURS,
  'dmarc_failures.failure': OURS,
  'dmarc_failures.reporter': OURS,
  'dmarc_reports.domain': OURS,
  'dmarc_reports.form': OURS,
  'dmarc_reports.generator': KEPT,
  'dmarc_reports.organization': KEPT,
  'dmarc_reports.policy': OURS,
  'dmarc_reports.report_id': KEPT,
  'dmarc_reports.reporter': OURS,
  'dmarc_rows.disposition': OURS,
  'dmarc_rows.dkim_domain': OURS,
  'dmarc_rows.dkim_result': OURS,
  'dmarc_rows.header_from': OURS,
  'dmarc_rows.override': OURS,
  'dmarc_rows.spf_domain': OURS,
  'dmarc_rows.spf_result': OURS,
  'domain_checks.domain': OURS,
  'domain_checks.result': KEPT,
  'domain_patterns.domain': OURS,
  'domain_patterns.pattern': OURS,
  'erasures.address': SEALED,
  'erasures.failure': OURS,
  'erasures.state': OURS,
  'failure_arrivals.reporter': OURS,
  'idempotency_keys.reply': SEALED,
  'list_changes.after_reason': OURS,
  'list_changes.after_verdict': OURS,
  'list_changes.before_reason': OURS,
  'list_changes.before_verdict': OURS,
  'list_schedules.last_run_reason': OURS,
  'list_schedules.last_run_status': OURS,
  'list_schedules.verdicts': OURS,
  'migrations.name': OURS,
  'monitor_events.data': OURS,
  'monitor_events.type': OURS,
  'monitor_findings.area': OURS,
  'monitor_findings.code': OURS,
  'monitor_findings.evidence': KEPT,
  'monitor_findings.explanation': KEPT,
  'monitor_findings.fix': KEPT,
  'monitor_findings.list': OURS,
  'monitor_findings.note': ERASED,
  'monitor_findings.rfc': OURS,
  'monitor_findings.severity': OURS,
  'monitor_findings.state': OURS,
  'monitor_findings.subject': OURS,
  'monitor_findings.told': OURS,
  'monitor_findings.told_severity': OURS,
  'monitor_runs.cause': OURS,
  'monitor_runs.facts_hash': OURS,
  'monitor_runs.result': KEPT,
  'monitor_runs.state': OURS,
  'monitors.kind': OURS,
  'monitors.memory': OURS,
  'monitors.name': ERASED,
  'monitors.paused': OURS,
  'monitors.paused_why': KEPT,
  'monitors.settings': OURS,
  'monitors.state': OURS,
  'monitors.target': OURS,
  'operator_circuits.address': OURS,
  'operator_circuits.last_refusal': OURS,
  'operator_circuits.operator': OURS,
  'operator_circuits.source': OURS,
  'operator_measures.domain': OURS,
  'operator_measures.mail_host': OURS,
  'operator_measures.operator': OURS,
  'operator_measures.reply': OURS,
  'operator_pauses.operator': OURS,
  'operator_pauses.paused_by': KEPT,
  'operator_pauses.reason': KEPT,
  'opt_out_links.kind': OURS,
  'opt_out_links.name': OURS,
  'opt_outs.kind': OURS,
  'opt_outs.made_by': KEPT,
  'opt_outs.name': OURS,
  'opt_outs.reason': KEPT,
  'placement_arrivals.authentication': OURS,
  'placement_arrivals.evidence': KEPT,
  'placement_arrivals.fault': OURS,
  'placement_arrivals.matched_by': OURS,
  'placement_arrivals.placement': OURS,
  'placement_arrivals.tab': OURS,
  'placement_messages.client_address': OURS,
  'placement_messages.client_name': OURS,
  'placement_messages.mail_from': KEPT,
  'placement_messages.recipient': OURS,
  'placement_messages.tls': OURS,
  'placement_seeds.address': OURS,
  'placement_seeds.authserv_id': OURS,
  'placement_seeds.host': OURS,
  'placement_seeds.login': OURS,
  'placement_seeds.provider': OURS,
  'placement_seeds.security': OURS,
  'placement_seeds.state': OURS,
  'placement_seeds.why': OURS,
  'placement_tests.name': ERASED,
  'placement_tests.placement': OURS,
  'placement_tests.report': KEPT,
  'placement_tests.seeds': OURS,
  'placement_tests.state': OURS,
  'placement_tests.token': OURS,
  'placement_tests.world': OURS,
  'port25_states.machine': OURS,
  'port25_states.state': OURS,
  'report_addresses.challenge': OURS,
  'report_addresses.token': OURS,
  'resolver_doubts.finding': OURS,
  'resolver_doubts.machine': OURS,
  'source_checks.check_name': OURS,
  'source_checks.source': OURS,
  'source_checks.state': OURS,
  'source_checks.told': OURS,
  'source_conditions.changed_by': KEPT,
  'source_conditions.condition': OURS,
  'source_conditions.reason': KEPT,
  'source_conditions.source': OURS,
  'source_listings.address': OURS,
  'source_listings.list': OURS,
  'source_listings.source': OURS,
  'source_listings.told': OURS,
  'source_looks.identity': OURS,
  'source_looks.source': OURS,
  'source_refusals.kind': OURS,
  'source_refusals.last_reply': OURS,
  'source_refusals.last_text': OURS,
  'source_refusals.operator': OURS,
  'source_refusals.source': OURS,
  'source_reports.fault': OURS,
  'source_reports.machine': OURS,
  'source_reports.port_25': OURS,
  'source_reports.source': OURS,
  'source_rests.reason': OURS,
  'source_rests.source': OURS,
  'suppressions.reason': ERASED,
  'tls_failures.mail_host': OURS,
  'tls_failures.policy_type': OURS,
  'tls_failures.reason': KEPT,
  'tls_failures.result': OURS,
  'tls_reports.organization': KEPT,
  'tls_reports.policies': OURS,
  'tls_reports.report_id': KEPT,
  'tls_reports.reporter': OURS,
  'unreadable_reports.reason': OURS,
  'unreadable_reports.reporter': OURS,
  'unreadable_reports.sender_domain': OURS,
  'usage_days.endpoint': OURS,
  'usage_days.reason': OURS,
  'usage_days.verdict': OURS,
  'usage_refusals.code': OURS,
  'verification_settings.address_key': SEALED,
  'webhook_attempts.error': OURS,
  'webhook_attempts.reply': ERASED,
  'webhook_attempts.request_body': ERASED,
  'webhook_attempts.request_headers': OURS,
  'webhook_bodies.body': ERASED,
  'webhook_deliveries.state': OURS,
  'webhook_endpoints.created_via': OURS,
  'webhook_endpoints.disabled_reason': OURS,
  'webhook_endpoints.events': OURS,
  'webhook_endpoints.lane': OURS,
  'webhook_endpoints.secret': SEALED,
  'webhook_endpoints.url': KEPT,
  'webhook_events.data': ERASED,
  'webhook_events.type': OURS,
};

let service: TestService;
let sink: WebhookSink;
let account: FullAccount;

beforeAll(async () => {
  sink = await startWebhookSink();
  service = await startService({ env: TO_LOOPBACK, timer: SYSTEM_TIMER });
  account = await createFullAccount({ url: service.env.databaseUrl });
});

afterAll(async () => {
  await service.close();
  await sink.close();
});

const query = (sql: string, values: unknown[] = []) => onDatabase(service.env.databaseUrl, sql, values);
const ask = (path: string, body?: object, method?: string): Promise<Reply> =>
  call(service, path, { key: account.testKey, ...(body && { body }), ...(method && { method }) });

/** Something in every table that an account fills. */
async function fill(): Promise<void> {
  const things = [
    'batch',
    'people',
    'key',
    'delivery',
    'suppression',
    'erasure',
    'scheduledList',
    'blacklistCheck',
    'domainCheck',
    'placementTest',
  ] as const;
  for (const name of things) await makeThing({ service, sink, account }, name, 'test', 'mine');
  await ask('/api/v1/batch-settings', { retention_days: 7 }, 'PATCH');
  await ask('/api/v1/suppression-settings', { report_in_verify: true }, 'PATCH');
  await ask('/api/v1/verify/batch?hold=true', { emails: ['jane@example.com', 'jane@example.com'] });
  await fetch(`${service.url}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Browser/1', origin: service.url },
    body: JSON.stringify({ api_key: account.testKey }),
  });
  // Simulated, and run at once.
  const watched = { kind: 'domain', target: 'no-dmarc.example.com' };
  const { body: monitor } = await ask('/api/v1/monitors', watched);
  await bodyOnce(
    () => ask(`/api/v1/monitors/${monitor.id}`),
    ({ last_run_id }) => last_run_id !== null,
  );
  await ask(`/api/v1/monitors/${monitor.id}/verify-ownership`, undefined, 'POST');
  await query(
    `INSERT INTO dmarc_failures (monitor_id, source, domain, failure, messages, first_at, last_at)
     VALUES ($1, '192.0.2.77', 'no-dmarc.example.com', 'dkim', 1, now(), now())`,
    [monitor.id],
  );
  await query(
    `INSERT INTO unreadable_reports (id, monitor_id, reason, bytes, received_at) VALUES (1, $1, 'no_report', 1, now())`,
    [monitor.id],
  );
  // A run of the list, and what it found.
  const [{ list }] = (await query('SELECT list_id AS list FROM list_schedules WHERE account_id = $1', [
    account.accountId,
  ])) as [{ list: number }];
  const { body: run } = await ask('/api/v1/verify/batch', { emails: ['jane@example.com'] });
  await bodyOnce(() => ask(`/api/v1/verify/batch/${run.id}`), isCompleted);
  await query('UPDATE batches SET list_id = $2 WHERE id = $1', [run.id, list]);
  await query(`INSERT INTO list_changes VALUES ($1, 0, 'unknown', 'greylisted', 'valid', 'accepted')`, [run.id]);
  const [{ key }] = (await query('SELECT id AS key FROM api_keys WHERE account_id = $1 LIMIT 1', [
    account.accountId,
  ])) as [{ key: string }];
  await query(
    `INSERT INTO usage_refusals (account_id, utc_date, key_id, status, code, simulated, refusals)
     SELECT $1, date '2026-01-01' + n, $2, 402, 'credits_insufficient', true, 1 FROM generate_series(1, 600) AS n`,
    [account.accountId, key],
  );
}

describe('what an account has', () => {
  it('what an account has is in its export, table by table', async () => {
    const tables = await query(
      `SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = 'public' AND table_name <> ALL (${PARTITIONS})`,
    );
    expect(Object.keys(EXPORTED).sort()).toEqual((tables as { name: string }[]).map(({ name }) => name).sort());
    await fill();
    const lines = (await ask('/api/v1/export')).body as Reply['body'][];
    const types = new Set(lines.map(({ type }) => type as string));
    const wanted = Object.values(EXPORTED).flatMap((entry) => (typeof entry === 'string' ? [] : [entry.as]));
    expect([...types].sort()).toEqual([...new Set([...wanted, 'end'])].sort());
    const one = (type: string, wish: (line: Reply['body']) => boolean = () => true) =>
      lines.find((line) => line.type === type && wish(line));
    expect(one('settings')).toEqual({
      type: 'settings',
      reuse: true,
      report_in_verify: true,
      retention_days: 7,
      retry_window_seconds: 900,
    });
    expect(one('batch', ({ status }) => status === 'held')).toMatchObject({
      quote: { rows: 2, unique_emails: 1, duplicates: 1, max_credits: 1 },
      retention_days: 7,
    });
    const schedule = one('schedule');
    expect({ type: 'schedule', ...(await ask(`/api/v1/lists/${schedule.list_id}/schedule`)).body }).toEqual(schedule);
    expect(one('change')).toMatchObject({
      list_id: schedule.list_id,
      email: 'jane@example.com',
      before: { verdict: 'unknown', reason: 'greylisted' },
      after: { verdict: 'valid', reason: 'accepted' },
    });
    expect(one('session')).toMatchObject({ user_agent: 'Browser/1', client_address: '127.0.0.1' });
    // Refusals of this test's own requests are written down some time later.
    expect(lines.filter(({ type, status }) => type === 'refusals' && status === 402)).toHaveLength(600);
    expect(JSON.stringify(one('session'))).not.toMatch(/hash/i);
    const nobody = await createFullAccount({ url: service.env.databaseUrl });
    const theirs = (await call(service, '/api/v1/export', { key: nobody.testKey })).body as Reply['body'][];
    expect([...new Set(theirs.map(({ type }) => type as string))].sort()).toEqual([
      'account',
      'credits',
      'end',
      'key',
      'settings',
    ]);
  });

  it('what an account has is looked through by an erasure, text by text', async () => {
    const columns = await query(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name <> ALL (${PARTITIONS})
          AND (data_type IN ('text', 'json', 'jsonb', 'character varying') OR udt_name = '_text')`,
    );
    const texts = Object.entries(ERASURE_OF).flatMap(([name, what]) => (what === SEALED ? [] : [name]));
    expect(texts.sort()).toEqual((columns as { name: string }[]).map(({ name }) => name).sort());
    expect(new Set(Object.values(ERASURE_OF))).toEqual(new Set([ERASED, OURS, SEALED, KEPT]));
  });
});
