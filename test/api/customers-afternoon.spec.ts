import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY_MS } from '../../src/lib/durations.js';
import { BatchWorker } from '../../src/batch/worker/batch-worker.js';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { ListScheduler } from '../../src/lists/list-runs.service.js';
import { ErasureWork } from '../../src/privacy/erasure-work.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { tablesWith } from '../support/batches.js';
import { call } from '../support/call.js';
import { startMailService } from '../support/mail-service.js';
import { startScriptedSmtpServer } from '../support/scripted-smtp-server.js';
import type { TestService } from '../support/service.js';
import { startWebhookSink, TO_LOOPBACK, type WebhookSink } from '../support/webhook-sink.js';

const ROWS = 5_000;
/** Customers who stand in the file more than once. */
const DISTINCT = 1_000;
const CREDITS = 5_000;

const time = { later: 0, now: () => Date.now() + time.later };
const gone = new Set<string>();
let isGreylisting = true;
let service: TestService;
let sink: WebhookSink;
let account: FullAccount;

/** Of each hundred: 90 exist, 8 do not, 2 are greylisted at first. */
function addressOf(i: number): string {
  const kind = i % 100 < 90 ? 'ok' : i % 100 < 98 ? 'no' : 'grey';
  return `${kind}.kunde${i}@firma${i % 10}.example.com`;
}
const rowOf = (i: number): string => `${10_000 + i};${addressOf(i % DISTINCT)};Jürgen Größe ${i};Köln`;
const CSV = ['Kundennr;E-Mail;Name;Ort', ...Array.from({ length: ROWS }, (_, i) => rowOf(i)), ''].join('\r\n');

beforeAll(async () => {
  sink = await startWebhookSink();
  service = await startMailService({
    host: startScriptedSmtpServer({
      onLine: (line) => {
        const address = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1];
        if (address === undefined) return undefined;
        if (address.startsWith('grey') && isGreylisting) return '450 4.2.0 Greylisted, please come back later';
        return /^(ok|grey)/.test(address) && !gone.has(address) ? undefined : '550 5.1.1 User unknown';
      },
    }),
    clock: time,
    env: TO_LOOPBACK,
  });
  account = await createFullAccount({ url: service.env.databaseUrl }, { credits: CREDITS });
});

afterAll(async () => {
  await service.close();
  await sink.close();
});

const ask = async (path: string, options: Parameters<typeof call>[2] = {}) =>
  (await call(service, `/api/v1${path}`, { key: account.liveKey, ...options })).body;
const statusOf = (id: number) => ask(`/verify/batch/${id}`);
const ended = async (id: number): Promise<void> => {
  await expect.poll(async () => (await statusOf(id)).status).toBe('completed');
};

async function upload(query: string): Promise<Record<string, never> & { id: number; quote: Record<string, number> }> {
  const reply = await fetch(`${service.url}/api/v1/verify/batch?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.liveKey}`, 'content-type': 'text/csv' },
    body: CSV,
  });
  expect(reply.status).toBe(201);
  return (await reply.json()) as never;
}

async function download(path: string) {
  const reply = await fetch(`${service.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${account.liveKey}` },
  });
  const lines = (await reply.text()).split('\r\n');
  return { headers: reply.headers, header: lines[0], rows: lines.slice(1, -1) };
}

it('a customer spends an afternoon with a list: price, waiting, download, bill, reuse, schedule, changes, erasure, export', async () => {
  await ask('/webhooks', { body: { url: sink.url(), events: ['list.changed'] } });

  // The price before the work, and a ceiling that holds.
  const { id, quote } = await upload('hold=true&name=Kunden&retry_window_seconds=3600&retention_days=14');
  expect(quote).toMatchObject({ rows: ROWS, unique_emails: DISTINCT, duplicates: ROWS - DISTINCT, malformed: 0 });
  expect(quote).toMatchObject({ max_credits: DISTINCT, balance_after: CREDITS - DISTINCT });
  const start = (max_credits: number) => ask(`/verify/batch/${id}/start`, { body: { max_credits } });
  expect(await start(DISTINCT - 1)).toMatchObject({ code: 'ceiling_reached', required: DISTINCT });
  expect(await start(DISTINCT)).toMatchObject({ credits_reserved: DISTINCT });

  // What waits is told with a time, and what is answered can be had.
  const soft = DISTINCT / 50;
  await expect.poll(async () => (await statusOf(id)).waiting?.reasons.greylisted).toBe(soft);
  await expect.poll(async () => (await statusOf(id)).processed).toBe(ROWS - soft * (ROWS / DISTINCT));
  const { waiting } = await statusOf(id);
  expect(Date.parse(waiting.next_try_at) - time.now()).toBeLessThanOrEqual(300_000);
  expect(Date.parse(waiting.until) - time.now()).toBeGreaterThan(3_000_000);
  const partial = await download(`/verify/batch/${id}/results?format=csv&partial=true`);
  expect(partial.headers.get('batch-complete')).toBe('false');
  expect(partial.rows).toHaveLength(ROWS);
  expect(partial.header).toContain('pending');

  // The end, in the file's own layout.
  isGreylisting = false;
  time.later += Date.parse(waiting.next_try_at) - time.now() + 1_000;
  await service.app.get(BatchWorker).wake();
  await ended(id);
  const last = await statusOf(id);
  expect(last).toMatchObject({ waiting: null, credits_charged: DISTINCT, processed: ROWS });
  expect((Date.parse(last.expires_at) - Date.parse(last.completed_at)) / DAY_MS).toBe(14);
  const whole = await download(`/verify/batch/${id}/results?format=csv`);
  expect(whole.header).toBe('Kundennr;E-Mail;Name;Ort;verdict;reason;action;score;did_you_mean');
  expect(whole.rows.map((row) => row.split(';').slice(0, 4).join(';'))).toEqual(
    Array.from({ length: ROWS }, (_, i) => rowOf(i)),
  );
  expect(whole.rows[95]).toMatch(/;invalid;mailbox_not_found;do_not_send;/);
  expect(whole.rows[99]).toMatch(/;valid;mailbox_exists;send;/);

  // The bill: ledger and usage say what the batch says.
  const { entries } = await ask('/credits/history?limit=100');
  const charged = entries.filter(
    (entry: { kind: string; batch_id: number }) => entry.kind === 'charge' && entry.batch_id === id,
  );
  expect(charged.reduce((sum: number, entry: { amount: number }) => sum - entry.amount, 0)).toBe(DISTINCT);
  expect((await ask('/usage?by=endpoint')).usage).toMatchObject([
    { value: 'batch', items: DISTINCT, credits: DISTINCT },
  ]);

  // Tomorrow the same file costs nothing.
  time.later += DAY_MS;
  const again = await upload('reuse_days=7');
  await ended(again.id);
  expect(await statusOf(again.id)).toMatchObject({ reused: DISTINCT, credits_charged: 0, processed: ROWS });

  // A month later one customer has gone, and the list says so.
  expect(await ask(`/lists/${id}/schedule`, { body: { every_days: 30 } })).toMatchObject({ enabled: true });
  gone.add(addressOf(7));
  const scheduler = service.app.get(ListScheduler);
  // The test says itself when it looks.
  await scheduler.onModuleDestroy();
  time.later += 31 * DAY_MS;
  await scheduler.run();
  const { last_run } = await ask(`/lists/${id}/schedule`);
  await ended(last_run.batch_id);
  await scheduler.run();
  const told = () => sink.received.filter(({ body: { type } }) => type === 'list.changed').map(({ body }) => body.data);
  await expect.poll(told).toHaveLength(1);
  const change = { email: addressOf(7), before: { verdict: 'valid' }, after: { verdict: 'invalid' } };
  expect(told()[0]).toMatchObject({ list_id: id, changed: 1, changes: [change] });
  expect((await ask(`/lists/${id}/changes`)).changes).toMatchObject([change]);
  const newest = await download(`/lists/${id}/download`);
  expect(newest.rows[7]).toMatch(/^10007;.*;invalid;mailbox_not_found;/);

  // Another one wants to be forgotten.
  await ask('/erasures', { body: { email: addressOf(11) } });
  const traces = async () => {
    time.later += 60_000;
    await service.app.get(ErasureWork).run();
    return tablesWith(service.env.databaseUrl, 'ok.kunde11@');
  };
  await expect.poll(traces).toEqual([]);
  const forgotten = await download(`/lists/${id}/download`);
  expect(forgotten.rows[11]).toMatch(/^;;;;valid;/);
  expect(forgotten.rows[12]).toBe(newest.rows[12]);

  // What is left, the customer takes along.
  const taken = await (
    await fetch(`${service.url}/api/v1/export`, { headers: { authorization: `Bearer ${account.liveKey}` } })
  ).text();
  const lines = taken
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; batch_id?: number });
  expect(lines.filter(({ type, batch_id }) => type === 'row' && batch_id === id)).toHaveLength(ROWS);
  const types = [...new Set(lines.map(({ type }) => type))];
  expect(types).toEqual(expect.arrayContaining(['account', 'key', 'batch', 'row', 'webhook', 'delivery']));
  expect(taken).not.toContain('ok.kunde11@');

  expect((await service.app.get(CreditsAudit).run()).differing).toEqual([]);
});
