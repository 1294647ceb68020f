import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountChangesService } from '../../src/admin/account-changes.service.js';
import { KeyAdministrationService } from '../../src/admin/key-administration.service.js';
import { KEY_CACHE_MS } from '../../src/keys/access/caller-keys.js';
import { UNLIMITED } from '../../src/keys/scope/key-scope.js';
import { TESTER } from '../support/admin.js';
import { built } from '../support/built.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { startService, type TestService } from '../support/service.js';

const PROCESSES = 4;
/** How long a revoked key is still tried. */
const WATCHED_MS = 1_200;

let database: TestDatabase;
/** Another process, which has a Redis of its own: nobody is notified of what it does. */
let administration: TestService;
let redis: { readonly pid: number; readonly port: number; readonly password: string };
let redisRuns = false;
let processes: ServiceProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  administration = await startService({ database });
  redis = await (await built.redisLaunch()).launchRedis(1);
  redisRuns = true;
  const REDIS_URL = `redis://:${redis.password}@127.0.0.1:${redis.port}`;
  const environment = { DATABASE_URL: database.url, REDIS_URL, ROLE: 'api' };
  processes = await Promise.all(Array.from({ length: PROCESSES }, () => startProcess(environment)));
});

afterAll(async () => {
  for (const one of processes) one.kill('SIGKILL');
  await Promise.all(processes.map(({ ended }) => ended));
  if (redisRuns) process.kill(redis.pid, 'SIGKILL');
  await administration.close();
  await database.drop();
});

const keys = () => administration.app.get(KeyAdministrationService);

interface Try {
  readonly startedAt: number;
  readonly status: number;
  readonly code: string | undefined;
}

async function newLiveKey(): Promise<{ accountId: string; keyId: string; token: string }> {
  const { id: accountId } = await administration.app
    .get(AccountChangesService)
    .create(TESTER, { name: 'Test', plan: 'scale' });
  const request = { kind: 'live', accountId, name: null, expiresAt: null, scope: UNLIMITED } as const;
  const { key, token } = await keys().create(TESTER, request);
  return { accountId, keyId: key.id, token };
}

async function tryOnce(service: ServiceProcess, key: string): Promise<Try> {
  const startedAt = performance.now();
  const { status, body } = await call(service, '/api/v1/keys', { key });
  return { startedAt, status, code: body.code };
}

/** Requests one after the other until told to stop. */
function load(service: ServiceProcess, key: string): { stop(): Promise<Try[]> } {
  let stopped = false;
  const tries = (async () => {
    const done: Try[] = [];
    while (!stopped) done.push(await tryOnce(service, key));
    return done;
  })();
  return {
    stop: () => {
      stopped = true;
      return tries;
    },
  };
}

/** Those that began later than this were all refused; there were some of them, and some before that were not. */
function expectRefused(tries: readonly Try[], since: number, withinMs: number): void {
  expect(tries.filter(({ startedAt, status }) => startedAt < since && status !== 401).length).toBeGreaterThan(0);
  const late = tries.filter(({ startedAt }) => startedAt > since + withinMs);
  expect(late.length).toBeGreaterThan(0);
  expect(new Set(late.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['401 key_revoked']));
}

describe('a revoked key is refused by every one of four processes', () => {
  it('a revoked key is refused by every one of four processes within a second while they serve load, whichever process revokes it', async () => {
    const { accountId, keyId, token } = await newLiveKey();
    const request = { kind: 'live', accountId, name: null, expiresAt: null, scope: UNLIMITED } as const;
    const other = await keys().create(TESTER, request);
    const loads = processes.flatMap((one) => [load(one, token), load(one, token)]);
    await Promise.all(processes.map((one) => tryOnce(one, token)));
    const path = `/api/v1/keys/${keyId}`;
    const revoke = () => call(processes[0]!, path, { key: other.token, method: 'DELETE' });
    // Its account's load leaves little of the rate.
    await expect.poll(async () => (await revoke()).status, { interval: 5 }).toBe(204);
    const since = performance.now();
    await delay(WATCHED_MS);
    for (const { stop } of loads) expectRefused(await stop(), since, Math.min(KEY_CACHE_MS, 1_000));
  });

  it('a revoked key is refused by every one of four processes within the cache’s bound while Redis is away, where nobody else is let in either', async () => {
    const { keyId, token } = await newLiveKey();
    for (const one of processes) expect((await tryOnce(one, token)).status).toBe(200);
    process.kill(redis.pid, 'SIGKILL');
    redisRuns = false;
    for (const one of processes) await expect.poll(async () => (await tryOnce(one, token)).code).toBe('unavailable');

    // A moment before, so that every process has just read what is about to change.
    const before = await Promise.all(processes.map((one) => tryOnce(one, token)));
    const tries: Promise<Try>[][] = processes.map((one, i) => [Promise.resolve(before[i]!), tryOnce(one, token)]);
    await keys().revoke(TESTER, keyId, false);
    const since = performance.now();
    for (; performance.now() < since + WATCHED_MS; await delay(50))
      processes.forEach((one, i) => tries[i]!.push(tryOnce(one, token)));
    for (const ofProcess of tries) expectRefused(await Promise.all(ofProcess), since, KEY_CACHE_MS);
  });
});
