import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { KEY_POLICIES, type KeyPolicies } from '../../src/platform/config/policies.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call, register } from '../support/call.js';
import { startMailService } from '../support/mail-service.js';
import { recipientOf } from '../support/mail-scripts.js';
import { startScriptedSmtpServer } from '../support/scripted-smtp-server.js';
import { startWebhookSink, TO_LOOPBACK } from '../support/webhook-sink.js';
import type { TestService } from '../support/service.js';
import { bodyOnce } from '../support/next-look.js';

const MAILBOXES = ['jane.doe@example.com', 'jsmith@corp.example.com'];
const PATH = '/api/v1/finder/batch';

let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  const MX = [[10, 'mx.example.com']] as const;
  service = await startMailService({
    host: startScriptedSmtpServer({
      onLine: (line) => {
        const recipient = recipientOf(line);
        return recipient === null || MAILBOXES.includes(recipient) ? undefined : '550 5.1.1 User unknown';
      },
    }),
    dns: {
      zones: { 'example.com': { MX }, '*.example.com': { MX }, 'mx.example.com': { A: ['127.0.0.1'] } },
    },
    env: {
      ...TO_LOOPBACK,
      registrationsPerHour: 100,
    },
  });
});

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl }, { credits: 20 });
});

afterAll(() => service.close());

const ask = (path: string, method = 'GET', key = account.liveKey) => call(service, path, { key, method });
const submit = (body: unknown, key = account.liveKey) => call(service, PATH, { key, body });
const remaining = async () => (await ask('/api/v1/credits')).body.remaining as number;

async function sendText(text: string, contentType: string, query = '') {
  const response = await fetch(service.url + PATH + query, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.liveKey}`, 'content-type': contentType },
    body: text,
  });
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: response.status, body: (await response.json()) as any };
}

/** The end of a batch: workers are in the same process, so their turns of the event loop are waited for. */
const ended = (id: number, key = account.liveKey) =>
  bodyOnce(
    () => ask(`${PATH}/${id}`, 'GET', key),
    ({ completed_at }) => completed_at !== null,
  );

const PEOPLE = [
  { first_name: 'Jane', last_name: 'Doe', domain: 'example.com' },
  { full_name: 'John Smith', domain: 'https://corp.example.com/' },
  { full_name: 'John Smith', domain: 'corp.example.com' },
  { full_name: 'Nobody Here', domain: 'example.com' },
  { full_name: 'Jane Doe', domain: 'gmail.com' },
  { full_name: 'Jane Doe', domain: 'no domain' },
  { first_name: 'Jane', last_name: 'Doe', domain: 'www.example.com' },
];

describe('a batch of people', () => {
  it('a batch of people is answered row by row in its order, repeated people once, and charged for whom it found', async () => {
    const { status, body, headers } = await submit({ people: PEOPLE, name: 'Leads' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'queued', total_people: 7, unique_people: 6, name: 'Leads', webhook: null });
    expect(headers.get('location')).toBe(`${PATH}/${body.id}`);
    const state = await ended(body.id);
    expect(state).toMatchObject({
      status: 'completed',
      total_people: 7,
      unique_people: 6,
      processed: 7,
      progress: 1,
      credits_reserved: 5,
      credits_charged: 2,
    });
    expect(await remaining()).toBe(18);
    const { results, next_cursor, total_people } = (await ask(`${PATH}/${body.id}/results`)).body;
    expect([next_cursor, total_people]).toEqual([null, 7]);
    expect(results.map(({ email, verdict, reason }: Record<string, unknown>) => [email, verdict, reason])).toEqual([
      ['jane.doe@example.com', 'valid', 'mailbox_exists'],
      [null, 'invalid', 'no_candidate_exists'],
      ['jsmith@corp.example.com', 'valid', 'mailbox_exists'],
      [null, 'invalid', 'no_candidate_exists'],
      [null, 'invalid', 'public_mail_domain'],
      [null, 'invalid', 'domain_unreadable'],
      ['jane.doe@example.com', 'valid', 'mailbox_exists'],
    ]);
    expect(results[0]).toMatchObject({
      pattern: '{first}.{last}',
      credits_charged: 1,
      columns: { first_name: 'Jane', last_name: 'Doe', full_name: '', domain: 'example.com' },
    });
    const [valid, other] = [
      await ask(`${PATH}/${body.id}/results?verdict=valid`),
      await ask(`${PATH}/${body.id}/results?limit=3`),
    ];
    expect(valid.body.results).toHaveLength(3);
    expect([other.body.results.length, typeof other.body.next_cursor]).toEqual([3, 'string']);
  });

  it('a batch of people is taken with all that the documents tell of it under a plan whose replies are envelopes, by a key and by a session', async () => {
    const policies = service.app.get<Record<string, KeyPolicies[string]>>(KEY_POLICIES);
    const before = policies['scale']!;
    policies['scale'] = { ...before, shape: 'envelope' };
    onTestFinished(() => void (policies['scale'] = before));
    const ours = { 'sec-fetch-site': 'same-origin' };
    const opened = await call(service, '/console/session', { body: { api_key: account.liveKey }, headers: ours });
    const cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
    const hook = 'https://127.0.0.1:9/hook';
    for (const caller of [{ key: account.liveKey }, { headers: { ...ours, cookie } }]) {
      const { status, body } = await call(service, PATH, {
        ...caller,
        body: { people: PEOPLE, name: 'Leads', webhook_url: hook },
      });
      expect(status).toBe(201);
      expect(body).toMatchObject({ total_people: 7, unique_people: 6, name: 'Leads', webhook: { url: hook } });
    }
  });

  it('a batch of people comes with a summary of who was found, by reason and domain, whose rows the filters give', async () => {
    const { id } = (await submit({ people: PEOPLE, name: 'Leads' })).body;
    await ended(id);
    const { status, body } = await ask(`${PATH}/${id}/summary`);
    expect([status, body.id, body.processed, body.found]).toEqual([200, id, 7, 3]);
    expect(body.reasons).toEqual([
      { reason: 'mailbox_exists', verdict: 'valid', rows: 3 },
      { reason: 'no_candidate_exists', verdict: 'invalid', rows: 2 },
      { reason: 'domain_unreadable', verdict: 'invalid', rows: 1 },
      { reason: 'public_mail_domain', verdict: 'invalid', rows: 1 },
    ]);
    const none = { valid: 0, invalid: 0, risky: 0, unknown: 0 };
    expect(body.domains).toEqual([
      { domain: 'example.com', rows: 4, counts: { ...none, valid: 2, invalid: 2 } },
      { domain: 'corp.example.com', rows: 1, counts: { ...none, valid: 1 } },
      { domain: 'gmail.com', rows: 1, counts: { ...none, invalid: 1 } },
    ]);
    for (const { domain, rows } of body.domains)
      expect((await ask(`${PATH}/${id}/results?domain=${domain}`)).body.results).toHaveLength(rows);
    expect((await ask(`/api/v1/verify/batch/${id}/summary`)).body.code).toBe('batch_not_found');
    const held = await call(service, `${PATH}?hold=true`, { key: account.liveKey, body: { people: PEOPLE } });
    expect((await ask(`${PATH}/${held.body.id}/summary`)).body.code).toBe('batch_not_finished');
  });

  it('a batch of people tells the domain that was sent, whatever the name holds', async () => {
    const { id } = (await submit({ people: [{ full_name: 'Jane "]@ Doe', domain: 'no domain' }] })).body;
    await ended(id);
    const { results } = (await ask(`${PATH}/${id}/results`)).body;
    expect(results).toMatchObject([{ reason: 'domain_unreadable', domain: 'no domain' }]);
  });

  it('a batch of people is seen as a batch of the finder only, and is deleted with its people', async () => {
    const { id } = (await submit({ people: [PEOPLE[0]] })).body;
    await ended(id);
    expect((await ask(PATH)).body.batches.map((batch: { id: number }) => batch.id)).toEqual([id]);
    for (const path of [`/api/v1/verify/batch/${id}`, `/api/v1/lists/${id}`])
      expect((await ask(path)).status).toBe(404);
    expect((await ask('/api/v1/verify/batch')).body.batches).toEqual([]);
    expect((await ask('/api/v1/lists')).body.lists).toEqual([]);
    expect((await ask(`/api/v1/verify/batch/${id}`, 'DELETE')).status).toBe(404);
    expect((await ask(`${PATH}/${id}`, 'DELETE')).body).toEqual({ id, deleted: true });
    expect((await ask(`${PATH}/${id}`)).body.code).toBe('batch_not_found');
  });

  it.each([
    ['found out', 'Company;Website;Given name;Surname\nAcme;https://www.example.com;Jane;Doe\n', ''],
    ['named', 'Firma;Seite;Wer\nAcme;example.com;"Doe, Jane"\n', '?full_name_column=Wer&domain_column=2'],
  ])('a batch of people comes as CSV with columns %s, which come back', async (_, csv, query) => {
    const { status, body } = await sendText(csv, 'text/csv', query);
    expect([status, body.total_people]).toEqual([201, 1]);
    await ended(body.id);
    const file = await fetch(`${service.url}${PATH}/${body.id}/results?format=csv`, {
      headers: { authorization: `Bearer ${account.liveKey}` },
    });
    const [header, row] = (await file.text()).split('\r\n');
    expect(header).toMatch(/^email,verdict,confidence,pattern,candidates_tried,alternatives,checks\.syntax/);
    expect(header).toContain(csv.split('\n')[0]!.split(';').join(','));
    expect(row).toMatch(/^jane\.doe@example\.com,valid,0\.\d+,\{first\}\.\{last\},1,,pass/);
    expect(row).toContain('Acme');
  });

  it('a batch of people comes as a form whose fields name the columns', async () => {
    const form = new FormData();
    form.append('name', 'Leads');
    form.append('full_name_column', 'Wer');
    form.append('domain_column', 'Seite');
    const csv = 'Seite;Wer\nexample.com;"Doe, Jane"\n';
    form.append('file', new Blob([csv], { type: 'application/vnd.ms-excel' }), 'People.csv');
    const headers = { authorization: `Bearer ${account.liveKey}` };
    const response = await fetch(service.url + PATH, { method: 'POST', headers, body: form });
    const { id, name } = (await response.json()) as { id: number; name: string };
    expect([response.status, name]).toEqual([201, 'Leads']);
    await ended(id);
    const { results } = (await ask(`${PATH}/${id}/results`)).body;
    expect(results).toMatchObject([
      { email: 'jane.doe@example.com', columns: { Seite: 'example.com', Wer: 'Doe, Jane' } },
    ]);
  });

  it('a batch of people is refused as a form without a file, and nothing is stored', async () => {
    const form = new FormData();
    form.append('name', 'Leads');
    const headers = { authorization: `Bearer ${account.liveKey}` };
    const response = await fetch(service.url + PATH, { method: 'POST', headers, body: form });
    expect([response.status, await response.json()]).toMatchObject([422, { fields: [{ field: 'file' }] }]);
    expect((await ask(PATH)).body.batches).toEqual([]);
  });

  it('a batch of people comes as NDJSON and goes as NDJSON', async () => {
    const { body } = await sendText(
      PEOPLE.slice(0, 2)
        .map((one) => JSON.stringify(one))
        .join('\n'),
      'application/x-ndjson',
    );
    await ended(body.id);
    const file = await fetch(`${service.url}${PATH}/${body.id}/results?format=ndjson`, {
      headers: { authorization: `Bearer ${account.liveKey}` },
    });
    const rows = (await file.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { email: string | null });
    expect(rows.map(({ email }) => email)).toEqual(['jane.doe@example.com', null]);
  });

  it.each([
    ['people', { people: [] }, 'invalid_input'],
    ['people', {}, 'invalid_input'],
    ['people[0]', { people: ['Jane Doe'] }, 'invalid_input'],
    ['people[1]', { people: [PEOPLE[0], { domain: 'example.com' }] }, 'invalid_input'],
    ['people[0]', { people: [{ full_name: 'Jane Doe' }] }, 'invalid_input'],
    ['people[0].domain', { people: [{ full_name: 'Jane Doe', domain: 7 }] }, 'invalid_input'],
  ])('a batch of people is refused for %s, and nothing is stored (%#)', async (field, body, code) => {
    const reply = await submit(body);
    expect([reply.status, reply.body.code, reply.body.fields[0].field]).toEqual([422, code, field]);
    expect((await ask(PATH)).body.batches).toEqual([]);
  });

  it.each([
    ['application/json', `{"people":[${Array(10_001).fill(JSON.stringify(PEOPLE[0])).join()}]}`],
    ['text/csv', `name,domain\n${'Jane Doe,example.com\n'.repeat(10_001)}`],
    ['application/x-ndjson', `${JSON.stringify(PEOPLE[0])}\n`.repeat(10_001)],
  ])('a batch of people has at most 10,000 people (%s)', async (type, text) => {
    const { status, body } = await sendText(text, type);
    expect([status, body.code, body.limit]).toEqual([422, 'too_many_emails', 10_000]);
    expect((await ask(PATH)).body.batches).toEqual([]);
  });

  it.each([
    ['domain_column', 'text/csv', 'name,place\nJane Doe,Bonn\n', ''],
    ['full_name_column', 'text/csv', 'first name,domain\nJane,example.com\n', ''],
    ['domain_column', 'text/csv', 'name,domain\nJane Doe,example.com\n', '?domain_column=Site'],
    ['full_name_column', 'text/csv', 'name,domain\nJane Doe,example.com\n', '?full_name_column=3'],
    ['people', 'text/csv', 'name,domain\n', ''],
    ['record 3', 'text/csv', 'name,domain\nJane Doe,example.com\nJane Doe,\n', ''],
    ['body', 'text/csv', `name,domain\n"${'x'.repeat(70_000)}",example.com\n`, ''],
    ['Content-Type', 'text/csv; charset=klingon', 'name,domain\nJane Doe,example.com\n', ''],
    ['line 3', 'application/x-ndjson', `${JSON.stringify(PEOPLE[0])}\n\n7\n`, ''],
  ])('a batch of people is refused for %s as %s, and nothing is stored (%#)', async (field, type, text, query) => {
    const { status, body } = await sendText(text, type, query);
    expect([status, body.code, body.fields[0].field]).toEqual([422, 'invalid_input', field]);
    expect((await ask(PATH)).body.batches).toEqual([]);
  });

  it('a batch of people is 402 when the credits do not reach, 415 for another type, and not for agents', async () => {
    const people = Array.from({ length: 21 }, (_, i) => ({
      full_name: `Jane Doe${'x'.repeat(i)}`,
      domain: 'example.com',
    }));
    expect((await submit({ people })).body.code).toBe('credits_insufficient');
    expect((await sendText('Jane Doe', 'text/plain')).body.code).toBe('unsupported_media_type');
    expect((await submit({ people }, await register(service))).body.code).toBe('full_account_required');
  });

  it('a batch of people tells its end to a webhook, with whom it found and a link to all', async () => {
    const sink = await startWebhookSink();
    const { body } = await submit({ people: [PEOPLE[0]], webhook_url: sink.url() });
    expect(body.webhook.url).toBe(sink.url());
    const [, told] = await sink.until(2);
    await sink.close();
    const { results, results_url, ...status } = told!.body.data;
    expect([told!.body.type, status.total_people, status.status]).toEqual(['batch.completed', 1, 'completed']);
    expect(results).toMatchObject([{ email: 'jane.doe@example.com', pattern: '{first}.{last}' }]);
    const linked = await call(service, results_url.slice(service.url.length));
    expect(linked.body).toMatchObject({ total_people: 1, results: [{ email: 'jane.doe@example.com' }] });
  });

  it('a batch of people with a test key is answered by the simulated engine and costs nothing', async () => {
    const people = [
      { full_name: 'Jane Doe', domain: 'acme.com' },
      { full_name: 'Jane Doe', domain: 'catch-all.acme.com' },
      { full_name: 'Jane Doe', domain: 'greylisted.acme.com' },
    ];
    const { id } = (await submit({ people }, account.testKey)).body;
    expect(await ended(id, account.testKey)).toMatchObject({
      counts: { valid: 1, risky: 1, unknown: 1 },
      credits_charged: 0,
    });
    expect(await remaining()).toBe(20);
  });
});
