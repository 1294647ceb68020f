import type { EntityManager } from 'typeorm';
import { EVENT_TYPES, type EventType } from './outbox.js';

export const SAMPLED_EVENTS: readonly EventType[] = [...EVENT_TYPES, 'webhook.test'];

/** No batch has this id. */
const NO_BATCH = 0;
const NO_ENDPOINT = '00000000-0000-4000-8000-000000000000';

const BATCH = {
  id: NO_BATCH,
  list_id: null,
  name: 'Sample',
  total_emails: 2,
  unique_emails: 2,
  quote: null,
  waiting: null,
  reused: 0,
  created_at: '2026-01-31T12:00:00.000Z',
  started_at: '2026-01-31T12:00:01.000Z',
  completed_at: '2026-01-31T12:00:09.000Z',
  estimated_completion_at: '2026-01-31T12:00:09.000Z',
  expires_at: '2026-03-02T12:00:09.000Z',
  retention_days: 30,
} as const;
const NOTHING_ANSWERED = { processed: 0, progress: 0, counts: { valid: 0, invalid: 0, risky: 0, unknown: 0 } };

const VALID = {
  email: 'jane@example.com',
  verdict: 'valid',
  confidence: 0.98,
  checks: {
    syntax: 'pass',
    mx: 'pass',
    smtp: 'pass',
    catch_all: false,
    disposable: false,
    role: false,
    spam_trap: false,
    free: false,
  },
  credits_charged: 1,
  latency_ms: 412,
  reason: 'mailbox_exists',
  did_you_mean: null,
  provider: null,
  mx_host: 'mx.example.com',
  normalized_email: 'jane@example.com',
  action: 'send',
  retry_after: null,
  evidence: {
    stage: 'rcpt',
    mx_host: 'mx.example.com',
    mx_address: '192.0.2.25',
    reply_code: 250,
    enhanced_code: '2.1.5',
    text: 'Ok',
    from_cache: false,
    witness: null,
    source: null,
  },
  checked_at: '2026-01-31T12:00:05.000Z',
  request_id: 'sample',
} as const;
const INVALID = {
  ...VALID,
  email: 'nobody@example.com',
  verdict: 'invalid',
  checks: { ...VALID.checks, smtp: 'fail' },
  reason: 'mailbox_not_found',
  normalized_email: 'nobody@example.com',
  action: 'do_not_send',
  evidence: { ...VALID.evidence, reply_code: 550, enhanced_code: '5.1.1', text: 'No such user' },
} as const;

const MONITOR = { monitor_id: NO_BATCH, kind: 'domain', target: 'example.com', name: 'Sample' } as const;
const LISTING = {
  ...MONITOR,
  finding_id: NO_BATCH,
  incident_id: NO_BATCH,
  listed: '192.0.2.25',
  list: 'psbl',
  meaning: 'spam_trap_hit',
  severity: 'warning',
  list_severity: 'medium',
  since: '2026-01-31T12:00:05.000Z',
  flapping: false,
  lookup_url: 'https://psbl.org/listing?ip=192.0.2.25',
  delist_url: 'https://psbl.org/remove',
  run_id: NO_BATCH,
} as const;

/** The `data` of an example of each event. It names nothing that is there, so that a receiver cannot take it for a real one. */
const SAMPLES: Readonly<Record<EventType, object>> = {
  'batch.completed': {
    ...BATCH,
    status: 'completed',
    processed: 2,
    progress: 1,
    counts: { valid: 1, invalid: 1, risky: 0, unknown: 0 },
    credits_reserved: 2,
    credits_charged: 2,
    results: [VALID, INVALID],
    results_url: 'https://example.com/api/v1/verify/batch/0/download?expires=0&signature=sample',
  },
  'batch.failed': { ...BATCH, ...NOTHING_ANSWERED, status: 'failed', credits_reserved: 2, credits_charged: 0 },
  'batch.cancelled': { ...BATCH, ...NOTHING_ANSWERED, status: 'cancelled', credits_reserved: 2, credits_charged: 0 },
  'list.changed': {
    list_id: NO_BATCH,
    name: 'Sample',
    batch_id: NO_BATCH,
    previous_batch_id: NO_BATCH,
    verified_at: '2026-01-31T12:00:09.000Z',
    total_emails: 2,
    counts: { valid: 1, invalid: 1, risky: 0, unknown: 0 },
    changed: 1,
    changes: [
      {
        email: 'nobody@example.com',
        before: { verdict: 'valid', reason: 'mailbox_exists' },
        after: { verdict: 'invalid', reason: 'mailbox_not_found' },
      },
    ],
    changes_url: 'https://example.com/api/v1/lists/0/changes',
  },
  'verification.corrected': {
    from: '2026-01-31T12:00:05.000Z',
    to: '2026-01-31T12:00:09.000Z',
    verdicts: 3,
    credits_refunded: 3,
    request_ids: ['sample'],
    batches: [{ batch_id: NO_BATCH, verdicts: 2, asked_again: 2 }],
  },
  'credits.low': { remaining: 90, threshold: 100 },
  'monitor.changed': {
    ...MONITOR,
    state_before: 'ok',
    state: 'critical',
    opened: [
      {
        finding_id: NO_BATCH,
        incident_id: NO_BATCH,
        code: 'dmarc_missing',
        area: 'dmarc',
        severity: 'critical',
        subject: 'example.com',
        explanation: 'The domain has no DMARC record.',
        since: '2026-01-31T12:00:05.000Z',
        flapping: false,
        fix: null,
      },
    ],
    worsened: [],
    eased: [],
    resolved: [],
    flapping: [],
    run_id: NO_BATCH,
  },
  'monitor.stalled': { ...MONITOR, since: '2026-01-30T12:00:05.000Z', last_run_at: '2026-01-31T11:00:05.000Z' },
  'blacklist.listed': LISTING,
  'blacklist.delisted': LISTING,
  'placement.completed': {
    id: NO_BATCH,
    name: 'Sample',
    status: 'completed',
    settled_at: '2026-01-31T12:30:00.000Z',
    placement: null,
    findings: { critical: 0, warning: 1, info: 2 },
    credits_charged: 1,
    test_url: 'https://example.com/api/v1/placement/tests/0',
  },
  'placement.expired': {
    id: NO_BATCH,
    name: 'Sample',
    status: 'expired',
    settled_at: '2026-01-31T12:30:00.000Z',
    placement: null,
    findings: { critical: 0, warning: 0, info: 0 },
    credits_charged: 0,
    test_url: 'https://example.com/api/v1/placement/tests/0',
  },
  'dmarc.source_appeared': {
    monitor_id: NO_BATCH,
    domain: 'example.com',
    report_id: NO_BATCH,
    organization: 'receiver.example',
    sources_count: 1,
    sources: [{ source: '198.51.100.7', messages: 40, passed_in_report: 0, failed_in_report: 40 }],
  },
  'webhook.test': { endpoint_id: NO_ENDPOINT, message: 'This is a sample. Nothing has happened.' },
};

interface Receiver {
  readonly id: string;
  readonly accountId: string;
  readonly simulated: boolean;
}

/** Writes an example of an event for one endpoint alone. @returns the id of the delivery */
export async function addSample(tx: EntityManager, receiver: Receiver, type: EventType, at: Date): Promise<string> {
  const rows: { id: string }[] = await tx.query(
    `WITH event AS (
       INSERT INTO webhook_events (id, account_id, simulated, type, created_at, data, sample)
       VALUES (gen_random_uuid(), $2, $3, $4, $5, $6, true) RETURNING id
     )
     INSERT INTO webhook_deliveries (event_id, endpoint_id, due_at, created_at)
     SELECT id, $1, $5, $5 FROM event RETURNING id`,
    [receiver.id, receiver.accountId, receiver.simulated, type, at, JSON.stringify(SAMPLES[type])],
  );
  return rows[0]!.id;
}

/** The stored `data` of a sample with as many rows of results as its receiver may have. */
export function sampleData(data: string, maxResults: number): string {
  const sample = JSON.parse(data) as Readonly<Partial<Record<'results' | 'changes', readonly object[]>>>;
  const rows = (['results', 'changes'] as const).flatMap((name) => {
    const all = sample[name];
    return all === undefined ? [] : [[name, maxResults > 0 ? all.slice(0, maxResults) : null] as const];
  });
  return rows.length === 0 ? data : JSON.stringify({ ...sample, ...Object.fromEntries(rows) });
}
