import { createTransport } from 'nodemailer';
import type { Client } from 'openapi-fetch';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ResultLinks } from '../../src/batch/results/result-links.js';
import type { paths as FullPaths } from '../../src/client/documents/account.js';
import type { paths as AdminPaths } from '../../src/client/documents/admin.js';
import type { paths as AgentPaths } from '../../src/client/documents/agent.js';
import { InboundServer } from '../../src/deliverability/inbound/inbound-server.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { onDatabase, queueBatch } from '../support/batches.js';
import { dataOf, documentedOperations, startClient } from '../support/generated-client.js';
import { nextLook } from '../support/next-look.js';
import { liftRates, startService, type TestService } from '../support/service.js';
import { TO_LOOPBACK } from '../support/webhook-sink.js';

/* A new operation fails a test here until a call of it is added. */

const HOOK = 'http://127.0.0.1:1/';

let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  service = await startService({ env: TO_LOOPBACK, timer: SYSTEM_TIMER });
  // Whoever looks at a batch until it has ended looks the more often the slower the machine is.
  liftRates(service);
  account = await createFullAccount({ url: service.env.databaseUrl });
});

afterAll(() => service.close());

const at = <Id>(id: Id) => ({ params: { path: { id } } });

it('a generated client calls every operation of the document for agents', async () => {
  const called = new Set<string>();
  const { api_key } = await dataOf(
    startClient<AgentPaths>(service, called).POST('/agent-gateway/register', {
      body: { name: 'Scout', purpose: null },
    }),
  );
  const client = startClient<AgentPaths>(service, called, api_key);
  await client.POST('/api/v1/verify', { body: { email: 'not an address' } });
  await client.POST('/api/v1/estimate', { body: { count: 60 } });
  const batch = await dataOf(client.POST('/api/v1/verify/batch', { body: { emails: ['not an address'] } }));
  const path = at(batch.data.id);
  while ((await dataOf(client.GET('/api/v1/verify/batch/{id}', path))).data.status !== 'completed') await nextLook();
  await client.GET('/api/v1/verify/batch/{id}/results', path);
  await client.GET('/api/v1/verify/batch/{id}/summary', path);
  await client.GET('/api/v1/verify/batch/{id}/events', { ...path, parseAs: 'text' });
  await client.GET('/api/v1/verify/batch');
  const query = { params: { query: { hold: true } } };
  const held = await dataOf(client.POST('/api/v1/verify/batch', { body: { emails: ['not an address'] }, ...query }));
  await client.PATCH('/api/v1/verify/batch/{id}', { ...at(held.data.id), body: { retention_days: 3 } });
  await client.POST('/api/v1/verify/batch/{id}/start', at(held.data.id));
  await client.DELETE('/api/v1/verify/batch/{id}', path);
  await client.GET('/api/v1/credits');
  expect([...called].sort()).toEqual(documentedOperations('agent-openapi').sort());
});

it('a generated client calls every operation of the document for full accounts', async () => {
  const called = new Set<string>();
  const test = startClient<FullPaths>(service, called, account.testKey);
  const live = startClient<FullPaths>(service, called, account.liveKey);
  await test.POST('/api/v1/verify', { body: { email: 'jane@example.com', timeout_ms: null } });
  await startClient<FullPaths>(service, called).POST('/try', { body: { email: 'jane@example.com' } });
  await test.POST('/api/v1/estimate', { body: { emails: ['jane@example.com'], count: null } });
  await test.GET('/api/v1/credits');
  await test.GET('/api/v1/credits/history', { params: { query: { limit: 1 } } });
  await test.GET('/api/v1/usage', { params: { query: { by: 'verdict' } } });
  await callBatches(test);
  await callFinder(test);
  await callSuppressions(test);
  await callKeys(live);
  const audit = await dataOf(live.GET('/api/v1/audit', { params: { query: { limit: 1 } } }));
  expect(audit).toHaveProperty('entries.length', 1);
  await callWebhooks(live);
  expect([...called].sort()).toEqual(documentedOperations('openapi').sort());
});

async function callBatches(client: Client<FullPaths>): Promise<void> {
  const body = { emails: ['jane@example.com'], name: 'Guests', webhook_url: null };
  const { id } = await dataOf(client.POST('/api/v1/verify/batch', { body }));
  while ((await dataOf(client.GET('/api/v1/verify/batch/{id}', at(id)))).status !== 'completed') await nextLook();
  await client.GET('/api/v1/verify/batch');
  const table = { body: 'email\njane@example.com', bodySerializer: (text: string) => text };
  await client.POST('/api/v1/verify/preview', { ...table, headers: { 'content-type': 'text/csv' } });
  await client.GET('/api/v1/verify/batch/{id}/results', at(id));
  await client.GET('/api/v1/verify/batch/{id}/summary', at(id));
  await client.GET('/api/v1/verify/batch/{id}/events', { ...at(id), parseAs: 'text' });
  const { expires, signature } = linkQuery(id);
  await client.GET('/api/v1/verify/batch/{id}/download', {
    params: { path: { id }, query: { expires, signature, format: 'ndjson' } },
    parseAs: 'text',
  });
  await client.GET('/api/v1/lists');
  await client.PATCH('/api/v1/lists/{id}', { ...at(id), body: { name: 'Wedding' } });
  expect((await dataOf(client.GET('/api/v1/lists/{id}', at(id)))).name).toBe('Wedding');
  await client.GET('/api/v1/lists/{id}/download', { ...at(id), parseAs: 'text' });
  await client.POST('/api/v1/lists/{id}/schedule', { ...at(id), body: { every_days: 7 } });
  await client.GET('/api/v1/lists/{id}/schedule', at(id));
  await client.GET('/api/v1/schedules');
  await client.GET('/api/v1/lists/{id}/changes', at(id));
  await client.DELETE('/api/v1/lists/{id}/schedule', at(id));
  await client.DELETE('/api/v1/lists/{id}', at(id));
  const held = await dataOf(client.POST('/api/v1/verify/batch', { body, params: { query: { hold: true } } }));
  expect(held.quote?.max_credits).toBe(1);
  await client.PATCH('/api/v1/verify/batch/{id}', { ...at(held.id), body: { retention_days: 3 } });
  await client.POST('/api/v1/verify/batch/{id}/start', at(held.id));
  await client.DELETE('/api/v1/verify/batch/{id}', at(held.id));
}

function linkQuery(batchId: number): Record<string, string> {
  const link = service.app.get(ResultLinks).make(batchId, new Date());
  return Object.fromEntries(new URL(link).searchParams);
}

async function callFinder(client: Client<FullPaths>): Promise<void> {
  const person = { first_name: 'Jane', last_name: 'Doe', full_name: null, domain: 'example.com' };
  await client.POST('/api/v1/finder/email', { body: person });
  const { id } = await dataOf(client.POST('/api/v1/finder/batch', { body: { people: [person], name: null } }));
  while ((await dataOf(client.GET('/api/v1/finder/batch/{id}', at(id)))).status !== 'completed') await nextLook();
  const people = { body: { people: [person], name: null }, params: { query: { hold: true } } };
  const held = await dataOf(client.POST('/api/v1/finder/batch', people));
  await client.PATCH('/api/v1/finder/batch/{id}', { ...at(held.id), body: { retention_days: 3 } });
  await client.POST('/api/v1/finder/batch/{id}/start', at(held.id));
  await client.GET('/api/v1/finder/batch');
  await client.GET('/api/v1/finder/batch/{id}/results', at(id));
  await client.GET('/api/v1/finder/batch/{id}/summary', at(id));
  await client.DELETE('/api/v1/finder/batch/{id}', at(id));
}

async function callSuppressions(client: Client<FullPaths>): Promise<void> {
  await client.GET('/api/v1/placement/seeds');
  await client.GET('/api/v1/blacklists');
  const check = await dataOf(
    client.POST('/api/v1/blacklists/check', { body: { targets: ['example.com'], lists: ['psbl'] } }),
  );
  await client.GET('/api/v1/blacklists/checks');
  await client.GET('/api/v1/blacklists/checks/{id}', at(check.id));
  const domain = await dataOf(
    client.POST('/api/v1/domains/check', { body: { domain: 'example.com', timeout_ms: 1000 } }),
  );
  await client.GET('/api/v1/domains/checks');
  await client.GET('/api/v1/domains/checks/{id}', at(domain.id));
  const monitor = await dataOf(
    client.POST('/api/v1/monitors', { body: { kind: 'domain', target: 'no-dmarc.example.com', notify_first: null } }),
  );
  await client.GET('/api/v1/monitors', { params: { query: { state: 'pending' } } });
  await client.GET('/api/v1/monitors/{id}', at(monitor.id));
  await client.PATCH('/api/v1/monitors/{id}', { ...at(monitor.id), body: { name: 'Shop', alert_from: 'critical' } });
  let runId: number | null = null;
  for (; runId === null; await nextLook())
    runId = (await dataOf(client.GET('/api/v1/monitors/{id}', at(monitor.id)))).last_run_id;
  // It may run by itself at this moment, which is a refusal.
  await client.POST('/api/v1/monitors/{id}/run', at(monitor.id));
  await client.GET('/api/v1/monitors/{id}/runs', at(monitor.id));
  await client.GET('/api/v1/monitors/{id}/runs/{run_id}', { params: { path: { id: monitor.id, run_id: runId } } });
  const pair = { from: String(runId), to: String(runId) };
  await client.GET('/api/v1/monitors/{id}/diff', { params: { path: { id: monitor.id }, query: pair } });
  const { findings } = await dataOf(client.GET('/api/v1/monitors/{id}/findings', at(monitor.id)));
  const finding = { path: { id: monitor.id, finding_id: findings[0]?.id ?? 1 } };
  await client.PATCH('/api/v1/monitors/{id}/findings/{finding_id}', { params: finding, body: { note: 'Known' } });
  await client.PATCH('/api/v1/monitors/{id}/lists/{list}', {
    params: { path: { id: monitor.id, list: 'psbl' } },
    body: { muted_until: '2099-01-01T00:00:00Z', note: 'Known' },
  });
  await client.GET('/api/v1/monitors/{id}/events', at(monitor.id));
  await client.POST('/api/v1/monitors/{id}/verify-ownership', at(monitor.id));
  await client.GET('/api/v1/monitors/{id}/reports', at(monitor.id));
  await client.GET('/api/v1/monitors/{id}/sources', at(monitor.id));
  await client.GET('/api/v1/monitors/{id}/reports/unreadable', at(monitor.id));
  await client.GET('/api/v1/monitors/{id}/tls-reports', at(monitor.id));
  await client.GET('/api/v1/monitors/{id}/tls-failures', at(monitor.id));
  await client.DELETE('/api/v1/monitors/{id}', at(monitor.id));
  const letter = 'Subject: Hello\r\n\r\nHello';
  const sent = { body: letter, bodySerializer: (text: string) => text, headers: { 'content-type': 'message/rfc822' } };
  await client.POST('/api/v1/placement/analyze', sent);
  const placement = await dataOf(client.POST('/api/v1/placement/tests', { body: { name: 'March' } }));
  const transport = createTransport({ host: '127.0.0.1', port: service.app.get(InboundServer).port! });
  await transport.sendMail({ envelope: { from: 'jane@example.com', to: placement.send_to }, raw: letter });
  await client.GET('/api/v1/placement/tests');
  await client.GET('/api/v1/placement/tests/{id}', at(placement.id));
  await client.GET('/api/v1/placement/tests/{id}/message', { ...at(placement.id), parseAs: 'text' });
  const twice = { params: { path: { id: placement.id }, query: { to: placement.id } } };
  await client.GET('/api/v1/placement/tests/{id}/diff', twice);
  await client.DELETE('/api/v1/placement/tests/{id}', at(placement.id));
  const { suppressions } = await dataOf(
    client.POST('/api/v1/suppressions', { body: { email: 'jane@example.com', reason: 'Asked by letter' } }),
  );
  const { id } = suppressions[0]!;
  await client.GET('/api/v1/suppressions');
  await client.GET('/api/v1/suppressions/{id}', at(id));
  await client.DELETE('/api/v1/suppressions/{id}', at(id));
  await client.GET('/api/v1/export', { parseAs: 'text' });
  const erasure = await dataOf(
    client.POST('/api/v1/erasures', { body: { email: 'jane@example.com', suppress: false } }),
  );
  await client.GET('/api/v1/erasures');
  await client.GET('/api/v1/erasures/{id}', at(erasure.id));
  await client.GET('/api/v1/batch-settings');
  await client.PATCH('/api/v1/batch-settings', { body: { retention_days: 3 } });
  await client.GET('/api/v1/verification-settings');
  await client.PATCH('/api/v1/verification-settings', { body: { reuse: true } });
  await client.GET('/api/v1/suppression-settings');
  await client.PATCH('/api/v1/suppression-settings', { body: { report_in_verify: true } });
}

async function callKeys(client: Client<FullPaths>): Promise<void> {
  const { id } = await dataOf(client.POST('/api/v1/keys', { body: { kind: 'test', expires_at: null } }));
  await client.PATCH('/api/v1/keys/{id}', { ...at(id), body: { name: 'Shop', networks: ['192.0.2.0/24'] } });
  const rotated = await dataOf(client.POST('/api/v1/keys/{id}/rotate', { ...at(id), body: { grace_seconds: 60 } }));
  const { claim_token } = (await (await fetch(`${service.url}/agent-gateway/register`, { method: 'POST' })).json()) as {
    claim_token: string;
  };
  await client.POST('/api/v1/claims', { body: { claim_token, name: 'Scout' } });
  await client.GET('/api/v1/keys');
  await client.DELETE('/api/v1/keys/{id}', {
    params: { ...at(rotated.id).params, query: { descendants: true } },
  });
}

async function callWebhooks(client: Client<FullPaths>): Promise<void> {
  const { id } = await dataOf(client.POST('/api/v1/webhooks', { body: { url: HOOK, events: null } }));
  await client.GET('/api/v1/webhooks');
  await client.GET('/api/v1/webhooks/{id}', at(id));
  await client.PATCH('/api/v1/webhooks/{id}', { ...at(id), body: { url: HOOK, enabled: true } });
  await client.POST('/api/v1/webhooks/{id}/rotate-secret', at(id));
  const delivery = await dataOf(client.POST('/api/v1/webhooks/{id}/test', at(id)));
  await client.POST('/api/v1/webhooks/{id}/samples/{event}', { params: { path: { id, event: 'batch.completed' } } });
  await client.GET('/api/v1/webhooks/{id}/deliveries', at(id));
  await client.GET('/api/v1/webhooks/deliveries/{id}', at(delivery.id));
  await client.POST('/api/v1/webhooks/deliveries/{id}/redeliver', at(delivery.id));
  const range = { since: '2026-01-01T00:00:00Z', until: null, include_succeeded: true };
  await client.POST('/api/v1/webhooks/{id}/redeliver', { ...at(id), body: range });
  await client.DELETE('/api/v1/webhooks/{id}', at(id));
}

it('a generated client calls every operation of the document for administrators', async () => {
  const called = new Set<string>();
  const client = startClient<AdminPaths>(service, called, await createAdminKey(service));
  const { id } = await dataOf(client.POST('/admin/v1/accounts', { body: { name: 'Example Ltd', plan: null } }));
  await callAccount(client, id);
  const made = await dataOf(client.POST('/admin/v1/keys', { body: { name: 'alice' } }));
  const { id: keyId } = made;
  await client.GET('/admin/v1/search', { params: { query: { q: made.api_key! } } });
  await client.POST('/admin/v1/keys/lookup', { body: { token: made.api_key! } });
  await client.GET('/admin/v1/keys/{id}', at(keyId));
  await client.PATCH('/admin/v1/keys/{id}', { ...at(keyId), body: { permissions: null } });
  const rotated = await dataOf(client.POST('/admin/v1/keys/{id}/rotate', { ...at(keyId), body: {} }));
  await client.GET('/admin/v1/keys');
  await client.DELETE('/admin/v1/keys/{id}', at(rotated.id));
  await client.GET('/admin/v1/agents', { params: { query: { address: '192.0.2.0/24' } } });
  await client.POST('/admin/v1/agents/revoke', { body: { address: '192.0.2.7' } });
  await client.PATCH('/admin/v1/pool', { body: { capacity: null } });
  await client.GET('/admin/v1/pool');
  await client.GET('/admin/v1/workers');
  await client.GET('/admin/v1/lists');
  await client.GET('/admin/v1/operators');
  await client.POST('/admin/v1/operators/{id}/pause', { ...at('google'), body: { reason: 'asked to', until: null } });
  await client.POST('/admin/v1/operators/{id}/resume', at('google'));
  const watcher = startClient<FullPaths>(service, new Set(), account.testKey);
  const watched = await dataOf(watcher.POST('/api/v1/monitors', { body: { kind: 'domain', target: 'example.com' } }));
  await client.GET('/admin/v1/monitors');
  await client.POST('/admin/v1/monitors/{id}/pause', { ...at(watched.id), body: { reason: 'a test' } });
  await client.POST('/admin/v1/monitors/{id}/resume', at(watched.id));
  await client.GET('/admin/v1/egress');
  await client.POST('/admin/v1/egress/{id}/drain', { ...at('default'), body: { reason: 'a test' } });
  await client.POST('/admin/v1/egress/{id}/pause', { ...at('default'), body: { reason: 'a test' } });
  await client.POST('/admin/v1/egress/{id}/resume', at('default'));
  await client.POST('/admin/v1/egress/{id}/test', at('default'));
  await client.GET('/admin/v1/blacklists');
  await client.POST('/admin/v1/blacklists/{id}/test', at('spamhaus-zen'));
  await client.POST('/admin/v1/blacklists/{id}/turn-off', { ...at('psbl'), body: { reason: 'a test' } });
  await client.POST('/admin/v1/blacklists/{id}/turn-on', at('psbl'));
  const left = { kind: 'domain', name: 'left.example.com', reason: 'asked to', until: null } as const;
  const optOut = await dataOf(client.POST('/admin/v1/opt-outs', { body: left }));
  await client.GET('/admin/v1/opt-outs');
  await client.POST('/admin/v1/opt-outs/{id}/remove', { ...at(optOut.id), body: { reason: 'asked back' } });
  const mailbox = { provider: 'gmail', address: 'seed@example.com', password: 'secret' } as const;
  const seed = await dataOf(client.POST('/admin/v1/placement/seeds', { body: mailbox }));
  await client.GET('/admin/v1/placement/seeds');
  await client.POST('/admin/v1/placement/seeds/{id}/off', { ...at(seed.id), body: { reason: 'a test' } });
  await client.POST('/admin/v1/placement/seeds/{id}/test', at(seed.id));
  await client.POST('/admin/v1/placement/seeds/{id}/rotate', { ...at(seed.id), body: { password: 'other' } });
  await client.POST('/admin/v1/placement/seeds/{id}/on', at(seed.id));
  await client.GET('/admin/v1/audit', { params: { query: { account_id: id } } });
  const { suppressions } = await dataOf(client.POST('/admin/v1/suppressions', { body: { email: 'a@example.com' } }));
  await client.GET('/admin/v1/suppressions');
  await client.DELETE('/admin/v1/suppressions/{id}', at(suppressions[0]!.id));
  await callWork(client);
  expect([...called].sort()).toEqual(documentedOperations('admin-openapi').sort());
});

async function callAccount(client: Client<AdminPaths>, id: string): Promise<void> {
  const reason = 'As agreed by phone';
  await client.GET('/admin/v1/accounts', { params: { query: { plan: 'free' } } });
  await client.GET('/admin/v1/accounts/{id}', at(id));
  await client.PATCH('/admin/v1/accounts/{id}', { ...at(id), body: { plan: 'scale', note: null } });
  await client.POST('/admin/v1/accounts/{id}/credits/grant', { ...at(id), body: { amount: 10, reason } });
  await client.POST('/admin/v1/accounts/{id}/credits/adjust', { ...at(id), body: { amount: -1, reason } });
  await client.POST('/admin/v1/accounts/{id}/suspend', { ...at(id), body: { reason } });
  await client.POST('/admin/v1/accounts/{id}/resume', at(id));
  await client.POST('/admin/v1/accounts/{id}/keys', { ...at(id), body: { kind: 'live', name: 'Shop' } });
  await client.GET('/admin/v1/accounts/{id}/keys', at(id));
  await client.GET('/admin/v1/accounts/{id}/ledger', at(id));
  await client.GET('/admin/v1/accounts/{id}/audit', at(id));
}

async function callWork(client: Client<AdminPaths>): Promise<void> {
  const batchId = await failedBatch();
  await client.GET('/admin/v1/batches', { params: { query: { status: 'failed' } } });
  await client.GET('/admin/v1/batches/{id}', at(batchId));
  await client.POST('/admin/v1/batches/{id}/retry', at(batchId));
  const customer = startClient<FullPaths>(service, new Set(), account.liveKey);
  const webhook = await dataOf(customer.POST('/api/v1/webhooks', { body: { url: HOOK } }));
  const delivery = await dataOf(customer.POST('/api/v1/webhooks/{id}/test', at(webhook.id)));
  await client.GET('/admin/v1/erasures', { params: { query: { status: 'failed' } } });
  await client.GET('/admin/v1/deliveries', { params: { query: { webhook_id: webhook.id } } });
  await client.POST('/admin/v1/deliveries/{id}/retry', at(delivery.id));
}

async function failedBatch(): Promise<number> {
  const { databaseUrl } = service.env;
  const id = await queueBatch(databaseUrl, {
    accountId: account.accountId,
    emails: ['a@example.com'],
    simulated: true,
  });
  await onDatabase(databaseUrl, `UPDATE batches SET state = 'failed', finished_at = now() WHERE id = $1`, [id]);
  return id;
}
