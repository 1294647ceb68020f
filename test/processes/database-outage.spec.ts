import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call, register, type Reply } from '../support/call.js';
import { callTool } from '../support/mcp.js';
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.js';
import { startService, type TestService } from '../support/service.js';

/** What callers are promised. */
const ANSWERED_WITHIN_MS = 16_000;

let database: OwnPostgres;
let service: TestService;
let account: FullAccount;
let keyId: string;

beforeAll(async () => {
  database = await startOwnPostgres();
  service = await startService({ database, timer: SYSTEM_TIMER });
  account = await createFullAccount(database);
  const { body } = await call(service, '/api/v1/keys', { key: account.liveKey, body: { kind: 'test' } });
  keyId = body.id;
});

afterEach(() => database.resume());

afterAll(async () => {
  await service.close();
  await database.drop();
});

const idempotent = (key: string) => ({ 'idempotency-key': key });

/** Requests of each kind: a read, one statement, a transaction, what an idempotency key keeps, a stream, a tool. */
const requests = (round: string): Readonly<Record<string, () => Promise<Reply>>> => ({
  'a listing': () => call(service, '/api/v1/keys', { key: account.liveKey }),
  'a verification that is charged': () =>
    call(service, '/api/v1/verify', { key: account.liveKey, body: { email: 'one@nowhere.invalid' } }),
  'a verification with an idempotency key': () =>
    call(service, '/api/v1/verify', {
      key: account.testKey,
      body: { email: 'valid@example.com' },
      headers: idempotent(`verify-${round}`),
    }),
  'a key with an idempotency key': () =>
    call(service, '/api/v1/keys', { key: account.liveKey, body: {}, headers: idempotent(`key-${round}`) }),
  'a revocation': () => call(service, `/api/v1/keys/${keyId}`, { key: account.liveKey, method: 'DELETE' }),
  'a batch': () => call(service, '/api/v1/verify/batch', { key: account.testKey, body: { emails: EMAILS } }),
  'a registration': () => call(service, '/agent-gateway/register', { method: 'POST' }),
});

/** Enough to be written while they come. */
const EMAILS = Array.from({ length: 40_000 }, (_, i) => `valid+${i}@example.com`);

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const startedAt = performance.now();
  return { result: await work(), ms: performance.now() - startedAt };
}

/** Sends all at once and looks at each answer. */
async function expectUnavailable(round: string): Promise<void> {
  const asked = Object.entries(requests(round));
  const answers = await Promise.all(asked.map(([, ask]) => timed(ask)));
  for (const [i, { result, ms }] of answers.entries()) {
    const name = asked[i]![0];
    expect([name, result.status, result.body.code]).toEqual([name, 503, 'unavailable']);
    expect(Number(result.headers.get('retry-after')), name).toBeGreaterThan(0);
    expect(ms, name).toBeLessThan(ANSWERED_WITHIN_MS);
  }
}

const keysOfAccount = async () => (await call(service, '/api/v1/keys', { key: account.liveKey })).body.keys as object[];

const verified = async () =>
  (await call(service, '/api/v1/verify', { key: account.testKey, body: { email: 'valid@example.com' } })).status;

describe('a PostgreSQL that hangs', () => {
  it('a PostgreSQL that hangs is reported to every caller within 16 s, keeps nothing of what they asked, and everything works when it goes on', async () => {
    const batch = await call(service, '/api/v1/verify/batch', { key: account.testKey, body: { emails: EMAILS } });
    expect(await verified()).toBe(200);
    const keys = await keysOfAccount();
    database.hang();
    const ready = timed(() => fetch(`${service.url}/readyz`));
    await expectUnavailable('first');
    expect((await ready).result.status).toBe(503);
    expect((await ready).ms).toBeLessThan(5_000);
    await expectUnavailable('second');
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    const tool = await timed(() => callTool(service, 'get_credit_balance', {}, { key: account.liveKey }));
    expect(tool.result).toMatchObject({ isError: true, result: { code: 'unavailable' } });
    expect(tool.ms).toBeLessThan(ANSWERED_WITHIN_MS);
    database.resume();
    await expect.poll(verified).toBe(200);
    expect(await keysOfAccount()).toEqual(keys);
    // The worker of this process was in the middle of the batch, or had not begun.
    const status = () => call(service, `/api/v1/verify/batch/${batch.body.id}`, { key: account.testKey });
    await expect.poll(async () => (await status()).body.status).toBe('completed');
  });
});

async function sql(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url, options: '-c default_transaction_read_only=off' });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

describe('a PostgreSQL that answers and cannot write', () => {
  const NAME = () => new URL(database.url).pathname.slice(1);

  it('a PostgreSQL that answers and cannot write because it only reads is reported as unavailable, and the worker goes on when it writes again', async () => {
    await sql(`ALTER DATABASE ${NAME()} SET default_transaction_read_only = on`);
    await sql(ENDED_CONNECTIONS);
    const refused = await register(service).catch((error: Error) => error.message);
    expect(refused).toContain('503');
    const created = await call(service, '/api/v1/keys', { key: account.liveKey, body: {} });
    expect([created.status, created.body.code]).toEqual([503, 'unavailable']);
    expect((await call(service, '/api/v1/keys', { key: account.liveKey })).status).toBe(200);
    await sql(`ALTER DATABASE ${NAME()} RESET default_transaction_read_only`);
    await sql(ENDED_CONNECTIONS);
    await expect.poll(verified).toBe(200);
    await expectCompleted();
  });

  it('a PostgreSQL that answers and cannot write because its disk is full is reported as unavailable, and costs a batch no more than the time', async () => {
    await sql(DISK_IS_FULL);
    const { body } = await call(service, '/api/v1/verify/batch', {
      key: account.testKey,
      body: { emails: ['valid@example.com'] },
    });
    const created = await call(service, '/api/v1/keys', { key: account.liveKey, body: {} });
    expect([created.status, created.body.code]).toEqual([503, 'unavailable']);
    expect(Number(created.headers.get('retry-after'))).toBeGreaterThan(0);
    // The worker has tried to store the answer, and has taken its try back.
    await expect.poll(refusedResults).toBeGreaterThan(0);
    await sql('DROP TRIGGER disk_is_full ON api_keys; DROP TRIGGER disk_is_full ON batch_results');
    const status = () => call(service, `/api/v1/verify/batch/${body.id}`, { key: account.testKey });
    await expect.poll(async () => (await status()).body.status).toBe('completed');
  });
});

async function expectCompleted(): Promise<void> {
  const { body } = await call(service, '/api/v1/verify/batch', {
    key: account.testKey,
    body: { emails: ['valid@example.com'] },
  });
  const status = () => call(service, `/api/v1/verify/batch/${body.id}`, { key: account.testKey });
  await expect.poll(async () => (await status()).body.status).toBe('completed');
}

async function refusedResults(): Promise<number> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    // A sequence keeps what a transaction that failed has counted.
    const { rows } = await client.query<{ count: string; called: boolean }>(
      'SELECT last_value AS count, is_called AS called FROM refused_results',
    );
    return rows[0]!.called ? Number(rows[0]!.count) : 0;
  } finally {
    await client.end();
  }
}

const ENDED_CONNECTIONS =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';

/** What PostgreSQL says (https://www.postgresql.org/docs/current/errcodes-appendix.html) when a table cannot grow. */
const DISK_IS_FULL = `
  CREATE SEQUENCE refused_results;
  CREATE FUNCTION say_disk_is_full() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- A row is refused by the partition that takes it.
      PERFORM nextval('refused_results') WHERE TG_TABLE_NAME LIKE 'batch_results%';
      RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
    END
  $$;
  CREATE TRIGGER disk_is_full BEFORE INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION say_disk_is_full();
  CREATE TRIGGER disk_is_full BEFORE INSERT ON batch_results FOR EACH ROW EXECUTE FUNCTION say_disk_is_full();`;
