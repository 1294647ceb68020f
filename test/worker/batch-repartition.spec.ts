import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { BatchWorker } from '../../src/batch/worker/batch-worker.js';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { SYSTEM_TIMER, TIMER, type Timer } from '../../src/platform/clock.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startMailHostOfAll } from '../support/mail-host.js';
import { startProcess } from '../support/process.js';
import { testRedis } from '../support/redis.js';
import { startService, type TestService } from '../support/service.js';

const BATCHES = '/api/v1/verify/batch';
/** Rows that the packer holds before it packs: a batch with more is packed by domain, however often it has the same addresses. */
const HELD = 20_000;
const COUNT = 5_100;
const DOMAINS = 850;
/** With notes these are more characters than it holds. */
const NOTED = 1_100;
const NOTED_DOMAINS = 200;
const NOTE = 'n'.repeat(4_000);
/** Those with mail hosts where what matters is the repartitioning, so that most addresses are verified by a look at DNS. */
const FEW_DOMAINS = 40;
const HOSTS = 40;
const CREDITS = 50_000;

const lowered = (email: string): string => email.toLowerCase();
const domainOf = (email: string): number => Number(/@d(\d+)\./i.exec(email)![1]);
const hostOf = (email: string): number => domainOf(email) % HOSTS;
/** Every hundredth address has a duplicate in other letters. */
const listOf = (count: number, domain: (i: number) => number, domainsWithMail: number): string[] =>
  Array.from({ length: count }, (_, i) => {
    const exists = i % 33 !== 0 && domain(i) < domainsWithMail;
    // One of them with a character that PostgreSQL accepts in no text.
    return `${exists ? 'ok' : 'no'}${i === 33 ? '\0' : i}@d${domain(i)}.example.com`;
  }).flatMap((email, i) => (i % 100 === 0 ? [email, email.replace('example', 'EXAMPLE')] : [email]));
/** As a CSV, in which NUL is refused. */
const emails = listOf(NOTED, (i) => (i * 7) % NOTED_DOMAINS, FEW_DOMAINS).filter((email) => !email.includes('\0'));

let database: TestDatabase;
let account: FullAccount;

beforeEach(async () => {
  database = await createTestDatabase();
  onTestFinished(database.drop);
  account = await createFullAccount(database, { credits: CREDITS });
});

/** Mail hosts with forty names, which share the domains that have any. */
async function startMail(domainsWithMail = FEW_DOMAINS) {
  let answered = Promise.resolve();
  const mail = await startMailHostOfAll(
    { onLine: (line) => (/^RCPT TO:<(?!ok)/i.test(line) ? '550 5.1.1 User unknown' : undefined) },
    async (domain) => {
      await answered;
      return domainOf(`@${domain}`) < domainsWithMail ? `mx${hostOf(`@${domain}`)}.example.net` : null;
    },
  );
  return {
    ...mail,
    /** Keeps name servers from answering questions for MX until the returned function is called. */
    holdMx: () => {
      let release = (): void => undefined;
      answered = new Promise((resolve) => (release = resolve));
      return () => release();
    },
  };
}

async function startApi(): Promise<TestService> {
  const api = await startService({ database, env: { role: 'api' }, timer: SYSTEM_TIMER });
  onTestFinished(() => api.close());
  return api;
}

async function startWorker(env: object, clock?: { now(): number }): Promise<TestService> {
  const worker = await startService({ database, env, ...(clock && { clock }), timer: SYSTEM_TIMER });
  onTestFinished(() => worker.close());
  return worker;
}

/** Its stop gives units no 8 s to end: here they never would. */
function endGraces({ app }: TestService): void {
  const timer = app.get<Timer>(TIMER);
  const { after } = timer;
  Object.assign(timer, { after: (ms: number, callback: () => void) => after(Math.min(ms, 100), callback) });
}

async function send(api: TestService, type: string, lines: readonly string[], key = account.liveKey): Promise<string> {
  const response = await fetch(api.url + BATCHES, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': type },
    body: lines.join('\n'),
  });
  return `${BATCHES}/${((await response.json()) as { id: number }).id}`;
}

/** A batch that is large by its notes: it has few rows to read and to compare. */
const submit = (api: TestService) =>
  send(api, 'text/csv', ['email,note', ...emails.map((email) => `${email},${NOTE}`)]);

/** So often that the rows are more than the packer holds, and some are left when it packs. */
const repeated = (list: readonly string[]) =>
  Array(Math.ceil((HELD + 400) / list.length))
    .fill(list)
    .flat() as string[];

/** A batch that is large by its rows: it is taken fastest. */
const submitRepeated = (api: TestService, list: readonly string[] = emails, key = account.liveKey) =>
  send(api, 'text/plain', repeated(list), key);

const statusOf = async (api: TestService, path: string): Promise<string> =>
  (await call(api, path, { key: account.liveKey })).body.status;

async function completed(api: TestService, path: string, sent = emails, meanwhile = async () => {}) {
  await expect
    .poll(async () => {
      await meanwhile();
      return statusOf(api, path);
    })
    .toBe('completed');
  const told: [string, string][] = [];
  for (let cursor = ''; ;) {
    const { body } = await call(api, `${path}/results?limit=10000${cursor}`, { key: account.liveKey });
    for (const { email, verdict } of body.results) told.push([email, verdict]);
    if (body.next_cursor === null) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  expect(told).toEqual(sent.map((email) => [email, email.startsWith('ok') ? 'valid' : 'invalid']));
  const { body } = await call(api, path, { key: account.liveKey });
  // What is no address is invalid for nothing.
  const priced = new Set(sent.filter((email) => !email.includes('\0')).map(lowered));
  expect(body).toMatchObject({ processed: sent.length, credits_charged: priced.size });
  const view = await createDataSource(database.url);
  expect((await new CreditsAudit(view).run()).differing).toEqual([]);
  await view.destroy();
}

/** The mail hosts of the addresses in each partition. */
async function hostsOfPartitions(by = 'operator'): Promise<Map<number, Set<number>>> {
  const rows = await onDatabase(database.url, 'SELECT partition, items FROM batch_chunks WHERE partitioned_by = $1', [
    by,
  ]);
  const hosts = new Map<number, Set<number>>();
  for (const { partition, items } of rows as { partition: number; items: string }[])
    for (const email of JSON.parse(items) as string[])
      hosts.set(partition, (hosts.get(partition) ?? new Set()).add(hostOf(email)));
  return hosts;
}

const countByDomain = async () => (await hostsOfPartitions('domain')).size;

/** The leases whose owners repartition chunks. */
const repartitioning = () =>
  onDatabase(
    database.url,
    "SELECT DISTINCT lease_owner FROM batch_chunks WHERE lease_owner IS NOT NULL AND partitioned_by = 'domain'",
  );

describe('repartitioning', () => {
  it('a large batch is worked by mail operator: an operator’s domains share a partition and connections, and every row finds its result, given again or asked for', async () => {
    const mail = await startMail(DOMAINS);
    const api = await startApi();
    // A tenth at one domain, whose mail host others have too.
    const list = listOf(COUNT, (i) => (i % 10 === 0 ? 0 : (i + Math.floor(i / 10)) % DOMAINS), DOMAINS);
    // Some of them come for the first time when the packer has ceased to hold.
    const often = list.slice(0, 3_900);
    const sent = [...often, ...often, ...often, ...often, ...list];
    expect(new Set(sent.slice(0, HELD)).size).toBeLessThan(list.length);
    const { id } = (await call(api, BATCHES, { key: account.liveKey, body: { emails: sent } })).body;
    const path = `${BATCHES}/${id}`;
    const large = [...(await hostsOfPartitions()).keys()];
    expect(large).toHaveLength(1);
    await startWorker(mail.env);
    await completed(api, path, sent);

    expect(await countByDomain()).toBe(0);
    const hosts = await hostsOfPartitions();
    expect([...hosts.values()].reduce((sum, { size }) => sum + size, 0)).toBe(HOSTS);
    // Domains on the large domain's mail host have joined its partition.
    expect(hosts.get(large[0]!)).toEqual(new Set([0]));
    const domains = new Set(sent.map((email) => email.slice(email.indexOf('@')).toLowerCase())).size;
    expect(domains).toBeGreaterThan(DOMAINS / 2);
    // By domain there would be at least as many connections as domains.
    expect(mail.smtp.connections.length).toBeLessThan(domains / 2);
    // A question may be put again when its answer is slow.
    const asked = mail.dns.questions.filter(({ type }) => type === 'MX').map(({ name }) => name);
    expect(new Set(asked).size).toBe(domains);
    expect(asked.length).toBeLessThan(domains * 1.1);

    // The next list has verdicts of this one among its addresses: they stay where they are, and only the new ones are moved and asked for.
    const fresh = Array.from({ length: 400 }, (_, i) => `ok.new${i}@d${i}.example.com`);
    const body = { emails: [...fresh, ...sent], reuse_days: 1 };
    const next = `${BATCHES}/${(await call(api, BATCHES, { key: account.liveKey, body })).body.id}`;
    await expect.poll(() => statusOf(api, next)).toBe('completed');
    const { body: status } = await call(api, next, { key: account.liveKey });
    expect(status).toMatchObject({ reused: COUNT - 1, credits_reserved: 400, credits_charged: 400 });
    const download = await fetch(`${api.url}${next}/results?format=ndjson`, {
      headers: { authorization: `Bearer ${account.liveKey}` },
    });
    const rows = (await download.text()).trim().split('\n');
    const told = rows.map((row) => JSON.parse(row) as { email: string; verdict: string });
    expect(told.map(({ email, verdict }) => [email, verdict])).toEqual(
      body.emails.map((email) => [email, email.startsWith('ok') ? 'valid' : 'invalid']),
    );
  });

  it('a large batch is repartitioned by another worker when the first one is killed at it', async () => {
    const mail = await startMail();
    const api = await startApi();
    const release = mail.holdMx();
    const path = await submit(api);
    const worker = await startProcess({
      ROLE: 'worker',
      DATABASE_URL: database.url,
      REDIS_URL: (await testRedis()).url,
      ...mail.variables,
    });
    await expect.poll(repartitioning).not.toEqual([]);
    worker.kill('SIGKILL');
    await worker.ended;
    release();
    await startWorker(mail.env);
    await completed(api, path);
    expect(await countByDomain()).toBe(0);
  });

  it('a worker that stops releases the chunks that it repartitions, and the attempt does not count', async () => {
    const mail = await startMail();
    const api = await startApi();
    const release = mail.holdMx();
    const path = await submit(api);
    const first = await startService({ database, env: mail.env, timer: SYSTEM_TIMER });
    await expect.poll(repartitioning).not.toEqual([]);
    endGraces(first);
    await first.close();
    const left = await onDatabase(
      database.url,
      'SELECT DISTINCT lease_owner, attempts, lease_expires_at FROM batch_chunks',
    );
    expect(left).toEqual([{ lease_owner: null, attempts: 0, lease_expires_at: null }]);
    release();
    await startWorker(mail.env);
    await completed(api, path);
    expect(await countByDomain()).toBe(0);
  });

  it('two workers repartition parts of a large batch at the same time', async () => {
    const mail = await startMail();
    const api = await startApi();
    const release = mail.holdMx();
    const path = await submit(api);
    await onDatabase(database.url, "UPDATE batch_chunks SET lease_expires_at = 'infinity' WHERE number % 2 = 0");
    const leases = async () => (await repartitioning()).length;
    await startWorker(mail.env);
    await expect.poll(leases).toBe(1);
    await onDatabase(database.url, 'UPDATE batch_chunks SET lease_expires_at = NULL WHERE number % 2 = 0');
    await startWorker(mail.env);
    await expect.poll(leases).toBe(2);
    release();
    await completed(api, path);
    expect(await countByDomain()).toBe(0);
  });

  it('a worker repartitions one large batch at a time, and small batches do not wait for it', async () => {
    const mail = await startMail();
    const api = await startApi();
    const release = mail.holdMx();
    const paths = [await submitRepeated(api), await submitRepeated(api)];
    const worker = await startWorker(mail.env);
    await expect.poll(repartitioning).not.toEqual([]);
    // Resolves when the worker has found nothing more.
    await worker.app.get(BatchWorker).wake();
    expect(await repartitioning()).toHaveLength(1);
    const { id } = (await call(api, BATCHES, { key: account.liveKey, body: { emails: ['ok@[127.0.0.1]'] } })).body;
    await expect.poll(() => statusOf(api, `${BATCHES}/${id}`)).toBe('completed');
    expect(await repartitioning()).toHaveLength(1);
    release();
    for (const path of paths) await expect.poll(() => statusOf(api, path)).toBe('completed');
  });

  it('a large batch is worked by domain when two attempts to repartition it have failed', async () => {
    const mail = await startMail();
    const api = await startApi();
    await onDatabase(
      database.url,
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the disk is broken'; END $$;
       CREATE TRIGGER refuse BEFORE DELETE ON batch_chunks FOR EACH ROW EXECUTE FUNCTION refuse();`,
    );
    const path = await submit(api);
    const time = { later: 0, now: () => Date.now() + time.later };
    const worker = await startWorker(mail.env, time);
    await completed(api, path, emails, async () => {
      time.later += 11_000; // The pause after a fault.
      await worker.app.get(BatchWorker).wake();
    });
    expect((await hostsOfPartitions()).size).toBe(0);
    expect(await countByDomain()).toBeGreaterThan(0);
    await onDatabase(database.url, 'DROP FUNCTION refuse CASCADE');
  });

  it('a large batch of a test key is verified by the simulated engine, which has no operators, at no cost', async () => {
    const service = await startService({ database, timer: SYSTEM_TIMER });
    onTestFinished(() => service.close());
    const simulated = Array.from({ length: NOTED }, (_, i) => `valid+${i}@d${i % NOTED_DOMAINS}.example.com`);
    const path = await submitRepeated(service, simulated, account.testKey);
    const status = async () => (await call(service, path, { key: account.testKey })).body;
    await expect.poll(async () => (await status()).status).toBe('completed');
    expect(await status()).toMatchObject({ counts: { valid: repeated(simulated).length }, credits_charged: 0 });
    expect(await countByDomain()).toBe(0);
  });

  it('a batch that is cancelled while it is repartitioned has no results and costs nothing', async () => {
    const mail = await startMail();
    const api = await startApi();
    const release = mail.holdMx();
    const path = await submitRepeated(api);
    await startWorker(mail.env);
    await expect.poll(repartitioning).not.toEqual([]);
    const { body } = await call(api, path, { key: account.liveKey, method: 'DELETE' });
    expect(body).toMatchObject({ status: 'cancelled', credits_charged: 0 });
    release();
    const { results } = (await call(api, `${path}/results`, { key: account.liveKey })).body;
    expect(results).toEqual([]);
    expect(await onDatabase(database.url, 'SELECT available, reserved FROM credit_balances')).toEqual([
      { available: String(CREDITS), reserved: '0' },
    ]);
    expect(mail.smtp.connections).toHaveLength(0);
  });
});
