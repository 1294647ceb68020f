import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFullAccount } from '../support/accounts.js';
import { readBatch } from '../support/batches.js';
import { createAdminKey } from '../support/admin.js';
import { type Call, call, type Reply } from '../support/call.js';
import { startMailService } from '../support/mail-service.js';
import { goldenText } from '../support/golden.js';
import type { TestService } from '../support/service.js';
import { startSmtpServer } from '../support/smtp-server.js';
import { nextLook } from '../support/next-look.js';

const FILE = '../../config/reply-examples.json';
const BATCHES = '/api/v1/verify/batch';

let service: TestService;

beforeAll(async () => {
  service = await startMailService({
    host: startSmtpServer({
      recipients: (address) => (/^(jane|postmaster)@/.test(address) ? 'accept' : '550 5.1.1 User unknown'),
    }),
    dns: {
      zones: { 'example.com': { MX: [[10, 'mx.example.com']] }, 'mx.example.com': { A: ['127.0.0.1'] } },
    },
    env: {
      registrationsPerHour: 1,
    },
  });
});

afterAll(() => service.close());

async function ended(id: number): Promise<void> {
  while ((await readBatch(service.env.databaseUrl, id)).state !== 'completed') await nextLook();
}

it('the examples in the documents are replies that the service gives (npm run golden)', async () => {
  const registered = await call(service, '/agent-gateway/register', { body: { name: 'Scout' } });
  const errors = await collectErrors(registered.body.api_key);
  const agent = await agentReplies(registered);
  const full = await fullReplies();
  const admin = await adminReplies();
  await expect(goldenText(plain({ replies: { agent, full, admin }, errors }))).toMatchFileSnapshot(FILE);
});

async function agentReplies(register: Reply): Promise<Record<string, unknown>> {
  const ask = asking(register.body.api_key);
  const submitBatch = await ask(BATCHES, {
    body: { emails: ['jane@example.com', 'nobody@example.com'], name: 'Guests' },
  });
  const path = `${BATCHES}/${submitBatch.data.id}`;
  await ended(submitBatch.data.id);
  return {
    register: register.body,
    verifyEmail: await ask('/api/v1/verify', { body: { email: 'jane@example.com' } }),
    submitBatch: submitBatch,
    getBatch: await ask(path),
    getBatchResults: await ask(`${path}/results`),
    listBatches: await ask(BATCHES),
    getCredits: await ask('/api/v1/credits'),
    removeBatch: await ask(path, { method: 'DELETE' }),
  };
}

async function fullReplies(): Promise<Record<string, unknown>> {
  const { testKey, liveKey } = await createFullAccount({ url: service.env.databaseUrl }, { plan: 'pro' });
  const ask = asking(testKey);
  const submitBatch = await ask(BATCHES, {
    body: { emails: ['jane@example.com', 'invalid@example.com'], name: 'Guests' },
  });
  await ended(submitBatch.id);
  const path = `${BATCHES}/${submitBatch.id}`;
  const createKey = await ask('/api/v1/keys', { body: { kind: 'test', name: 'Shop' } });
  return {
    verifyEmail: await ask('/api/v1/verify', { body: { email: 'jane+catch-all@example.com' } }),
    submitBatch: submitBatch,
    getBatch: await ask(path),
    getBatchResults: await ask(`${path}/results?limit=1`),
    listBatches: await ask(BATCHES),
    listLists: await ask('/api/v1/lists'),
    getList: await ask(`/api/v1/lists/${submitBatch.id}?limit=1`),
    renameList: await ask(`/api/v1/lists/${submitBatch.id}`, { method: 'PATCH', body: { name: 'Wedding' } }),
    findEmail: await ask('/api/v1/finder/email', { body: { full_name: 'Jane Doe', domain: 'example.com' } }),
    getCredits: await ask('/api/v1/credits'),
    // The ledger is the live mode's.
    listCreditHistory: await asking(liveKey)('/api/v1/credits/history'),
    createKey: createKey,
    listKeys: await ask('/api/v1/keys?limit=1'),
    rotateKey: await ask(`/api/v1/keys/${createKey.id}/rotate`, { body: { grace_seconds: 3600 } }),
  };
}

async function adminReplies(): Promise<Record<string, unknown>> {
  const ask = asking(await createAdminKey(service));
  const path = (rest: string) => `/admin/v1${rest}`;
  const createAccount = await ask(path('/accounts'), { body: { name: 'Example Ltd', plan: 'pro' } });
  const account = path(`/accounts/${createAccount.id}`);
  const reason = 'As agreed by phone';
  return {
    createAccount: createAccount,
    grantCredits: await ask(`${account}/credits/grant`, { body: { amount: 1000, reason } }),
    suspendAccount: await ask(`${account}/suspend`, { body: { reason } }),
    listAudit: await ask(path('/audit?limit=1')),
    listAccounts: await ask(path('/accounts?limit=1')),
    createAccountKey: await ask(`${account}/keys`, { body: { kind: 'test', name: 'Shop' } }),
    searchAgents: await ask(path('/agents?limit=1')),
    getPool: await ask(path('/pool')),
    listAllBatches: await ask(path('/batches?limit=1')),
  };
}

async function collectErrors(agentKey: string): Promise<Record<string, unknown>> {
  const { testKey } = await createFullAccount({ url: service.env.databaseUrl });
  const verify = (email: unknown) => call(service, '/api/v1/verify', { key: testKey, body: { email } });
  const replies = [
    await call(service, '/api/v1/credits'),
    await verify('insufficient-credits@example.com'),
    await call(service, '/api/v1/lists', { key: agentKey }),
    await call(service, `${BATCHES}/7`, { key: agentKey }),
    await verify(7),
    await call(service, BATCHES, {
      key: agentKey,
      body: { emails: Array.from({ length: 26 }, () => 'a@example.com') },
    }),
    await verify('rate-limited@example.com'),
    await call(service, '/agent-gateway/register', { method: 'POST' }),
  ];
  return Object.fromEntries(replies.map(({ body }) => [body.code, body]));
}

function asking(key: string) {
  return async (path: string, options: Omit<Call, 'key'> = {}): Promise<Reply['body']> => {
    const { status, body } = await call(service, path, { ...options, key });
    expect(status, `${path} ${JSON.stringify(body)}`).toBeLessThan(300);
    return body;
  };
}

/** What is another one each time. */
const ALWAYS: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT00:00:00\.000Z/, '2026-11-22T00:00:00.000Z'],
  [/\d{4}-\d\d-\d\dT(?!00:00:00)[\d:.]+Z/, '2026-11-21T12:00:00.000Z'],
  [/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/, '6b0f3c1e-2d54-4a7e-9c38-0d1f5a7b9e21'],
  [/(?<=ms_(agent|test|live|admin)_)\w+/, '…'],
  [/http:\/\/127\.0\.0\.1:\d+/, 'https://mailsonde.example'],
  [/(?<=\/lists\/)\d+/, '150323855360001'],
];
const BY_NAME: Readonly<Record<string, unknown>> = {
  id: 150323855360001,
  batch_id: 150323855360001,
  latency_ms: 412,
  retry_after: 300,
  last_four: 'x7Qd',
  claim_token: 'ms_claim_…',
  expires_at: '2026-12-21T12:00:00.000Z',
  next_cursor: 'cm93IDE',
  client_address: '192.0.2.7',
  from: '192.0.2.7',
  date: '2026-11-21',
};

/** The same whenever and wherever it was got. */
function plain(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((member) => plain(member));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([inner, member]) => [inner, plain(member, inner)]));
  const fixed = BY_NAME[name];
  if (value !== null && typeof fixed === typeof value) return fixed;
  if (typeof value !== 'string') return value;
  return ALWAYS.reduce((text, [changing, instead]) => text.replaceAll(new RegExp(changing, 'g'), instead), value);
}
