import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { StatusService } from '../../src/admin/status/status.service.js';
import { BatchWorker } from '../../src/batch/worker/batch-worker.js';
import { chargeFor } from '../../src/credits/prices.js';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { CREDIT_PRICES, type CreditPrices } from '../../src/platform/config/policies.js';
import { REDIS, type RedisClient } from '../../src/platform/redis/redis.js';
import { outcomeOf } from '../../src/verify/verification-outcome.js';
import { RedisNameRuns } from '../../src/verify/ports/redis-name-runs.js';
import type { Verification } from '../../src/engine/types.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { startMailService } from '../support/mail-service.js';
import { until } from '../support/next-look.js';
import { scrape } from '../support/scrape.js';
import { startScriptedSmtpServer } from '../support/scripted-smtp-server.js';
import type { TestService } from '../support/service.js';
import { wallClock } from '../../src/platform/clock.js';

const CREDITS = 10_000;
const METRIC = 'mailsonde_enumeration_suspected_total';

/** Turns are given for each ten minutes of the clock: it stands at their beginning, so that no test meets the next ones by chance. */
const TURNS_MS = 600_000;
const time = { later: TURNS_MS - (Date.now() % TURNS_MS), now: () => Date.now() + time.later };
const asked: string[] = [];
let service: TestService;
let hunter: FullAccount;
let company: FullAccount;

beforeAll(async () => {
  service = await startMailService({
    host: startScriptedSmtpServer({
      onLine: (line) => {
        const address = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1];
        if (address === undefined) return undefined;
        asked.push(address);
        return address.startsWith('ok') ? undefined : '550 5.1.1 User unknown';
      },
    }),
    clock: time,
    env: { metricsPort: 0 },
  });
  const database = { url: service.env.databaseUrl };
  hunter = await createFullAccount(database, { credits: CREDITS });
  company = await createFullAccount(database, { credits: CREDITS });
});

afterAll(() => service.close());

const askedAt = (domain: string) =>
  asked.filter((address) => /^(?:ok|gone|n)\d/.test(address) && address.endsWith(domain)).length;
const verify = (email: string, { liveKey: key }: FullAccount) =>
  call(service, '/api/v1/verify', { key, body: { email } });
const balanceOf = async ({ liveKey: key }: FullAccount): Promise<number> =>
  (await call(service, '/api/v1/credits', { key, method: 'GET' })).body.remaining;

async function submit(emails: readonly string[], { liveKey: key }: FullAccount, retry_window_seconds: number) {
  const { body } = await call(service, '/api/v1/verify/batch', { key, body: { emails, retry_window_seconds } });
  const path = `/api/v1/verify/batch/${String(body.id)}`;
  return {
    status: async () => (await call(service, path, { key })).body,
    summary: async () => (await call(service, `${path}/summary`, { key })).body,
    reasons: async () => {
      const { results } = (await call(service, `${path}/results?limit=5000`, { key })).body;
      return counted(results.map(({ reason }: { reason: string }) => reason));
    },
  };
}

function counted(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

describe('an account that goes through invented names of a domain', () => {
  const DOMAIN = 'hunted.example.com';
  const NAMES = Array.from({ length: 3_000 }, (_, i) => `n${i}@${DOMAIN}`);

  it('an account that goes through invented names of a domain is slowed down there, told why, charged for what was answered only, and shown to administrators', async () => {
    const batch = await submit(NAMES, hunter, 600);
    const isSlow = ({ waiting, processed }: Awaited<ReturnType<typeof batch.status>>): boolean =>
      processed + (waiting?.count ?? 0) === NAMES.length;
    await expect.poll(async () => isSlow(await batch.status())).toBe(true);
    const answered = askedAt(DOMAIN);
    // 300 that do not exist, 100 turns, and what was under way when the 300th was answered.
    expect(answered).toBeGreaterThanOrEqual(400);
    expect(answered).toBeLessThan(1_000);
    const { waiting, processed } = await batch.status();
    expect(waiting.reasons).toEqual({ enumeration_suspected: NAMES.length - answered });
    expect(processed).toBe(answered);

    const single = await verify(`n1000000@${DOMAIN}`, hunter);
    expect(single.body).toMatchObject({ verdict: 'unknown', reason: 'enumeration_suspected', credits_charged: 0 });
    expect(single.body.retry_after).toBeGreaterThan(0);
    expect(single.body.retry_after).toBeLessThanOrEqual(600);
    expect(askedAt(DOMAIN)).toBe(answered);

    const { entries } = (await call(service, '/api/v1/audit', { key: hunter.liveKey })).body;
    const lines = entries.filter(({ act }: { act: string }) => act === 'enumeration.suspect');
    expect(lines).toMatchObject([{ actor: { name: 'mailsonde' }, details: { domain: DOMAIN } }]);
    expect((await scrape(service)).valueOf(METRIC)).toBe(1);
    const { problems } = await service.app.get(StatusService, { strict: false }).read();
    expect(problems.map(({ text }) => text)).toContainEqual(
      expect.stringContaining(`checks many invented names at ${DOMAIN}`),
    );

    // Other accounts are asked at once.
    expect((await verify(`ok1@${DOMAIN}`, company)).body).toMatchObject({ verdict: 'valid', credits_charged: 1 });
    expect((await verify(`ok2@other.example.com`, hunter)).body).toMatchObject({ verdict: 'valid' });

    await until(async () => {
      const { status, waiting: left } = await batch.status();
      if (left?.next_try_at) time.later += Math.max(0, Date.parse(left.next_try_at) - time.now() + 1);
      await service.app.get(BatchWorker).wake();
      return status === 'completed';
    });
    const reasons = await batch.reasons();
    expect(Object.keys(reasons).toSorted()).toEqual(['enumeration_suspected', 'mailbox_not_found']);
    expect(reasons.mailbox_not_found).toBe(askedAt(DOMAIN) - 1);
    expect(reasons.mailbox_not_found).toBeGreaterThan(answered);
    expect(await balanceOf(hunter)).toBe(CREDITS - reasons.mailbox_not_found! - 1);
    expect((await service.app.get(CreditsAudit).run()).differing).toEqual([]);
  });

  it('an account that goes through invented names of a domain pays nothing for a name that was not asked, even where unknown answers are charged', () => {
    const { verify: price } = service.app.get<CreditPrices>(CREDIT_PRICES);
    const evidence = { stage: 'connect', text: null } as Verification['evidence'];
    const outcome = outcomeOf({ verdict: 'unknown', reason: 'enumeration_suspected', evidence });
    expect(chargeFor(price, { chargeUnknown: true, chargeMalformed: true }, outcome)).toBe(0);
  });

  it('an account that goes through invented names of a domain is asked as before once a day has gone by', async () => {
    time.later += 86_400_000;
    expect((await verify(`ok3@${DOMAIN}`, hunter)).body).toMatchObject({ verdict: 'valid' });
  });
});

it('a search for a person counts as one name and takes one turn, however many addresses it tries', async () => {
  const domain = 'searched.example.com';
  const runs = service.app.get(RedisNameRuns);
  const recipientsAt = () => asked.filter((address) => address.endsWith(`@${domain}`)).length;
  const search = async (last_name: string, first_name = 'Nobody', at = domain) => {
    const before = recipientsAt();
    const body = { first_name, last_name, domain: at };
    const { body: finding } = await call(service, '/api/v1/finder/email', { key: company.liveKey, body });
    return { finding, recipients: recipientsAt() - before };
  };
  const people = Array.from('abcdefghijklmnopqrst', (letter) => `Inventedson${letter}`);
  const found = 'found.example.com';
  for (let i = 0; i < 280; i += 1) for (const at of [domain, found]) runs.record(company.accountId, at, false);
  for (const person of people) {
    expect((await search(person, 'Ok', found)).finding.verdict).toBe('valid');
    expect(runs.isSuspected(company.accountId, domain)).toBe(false);
    expect((await search(person)).finding.reason).toBe('no_candidate_exists');
  }
  await runs.takeTurn(company.accountId, found);
  expect(runs.isSuspected(company.accountId, found)).toBe(false);
  await expect.poll(() => runs.isSuspected(company.accountId, domain)).toBe(true);
  for (let turn = 1; turn < 100; turn += 1) expect(await runs.takeTurn(company.accountId, domain)).toBe(0);
  const last = await search('Lastson');
  expect(last.finding.reason).toBe('no_candidate_exists');
  expect(last.recipients).toBeGreaterThan(1);

  const { finding, recipients } = await search('Slowson');
  expect(finding).toMatchObject({ verdict: 'unknown', reason: 'enumeration_suspected', credits_charged: 0 });
  expect(finding.retry_after).toBeGreaterThan(0);
  expect(recipients).toBe(0);
});

it('a company whose list has thousands of rows, half of whose people have left, is never slowed down', async () => {
  const emails = Array.from({ length: 3_000 }, (_, i) => `${i % 2 === 0 ? 'ok' : 'gone'}${i}@company.example.com`);
  const batch = await submit(emails, company, 0);
  await expect.poll(async () => (await batch.status()).status).toBe('completed');
  expect(await batch.reasons()).toEqual({ mailbox_exists: 1_500, mailbox_not_found: 1_500 });
});

it('an account with more than 10,000 names that do not exist is suspected, however many others exist', async () => {
  const runs = new RedisNameRuns(
    service.app.get<RedisClient>(REDIS),
    service.app.get(DataSource),
    wallClock(() => time.now()),
  );
  for (let i = 0; i < 20_000; i += 1) runs.record(company.accountId, 'mixed.example.com', i % 2 === 0);
  expect(await runs.takeTurn(company.accountId, 'mixed.example.com')).toBe(0);
  expect(runs.isSuspected(company.accountId, 'mixed.example.com')).toBe(false);
  for (let i = 0; i < 20; i += 1) runs.record(company.accountId, 'mixed.example.com', false);
  await expect.poll(() => runs.isSuspected(company.accountId, 'mixed.example.com')).toBe(true);
});

it('two accounts that ask about one domain in turn are each judged by their own names', async () => {
  const runs = new RedisNameRuns(
    service.app.get<RedisClient>(REDIS),
    service.app.get(DataSource),
    wallClock(() => time.now()),
  );
  const domain = 'shared.example.com';
  for (let i = 0; i < 320; i += 1) {
    runs.record(company.accountId, domain, true);
    runs.record(hunter.accountId, domain, false);
  }
  await expect.poll(() => runs.isSuspected(hunter.accountId, domain)).toBe(true);
  expect(await runs.takeTurn(company.accountId, domain)).toBe(0);
  expect(runs.isSuspected(company.accountId, domain)).toBe(false);
});

it('without Redis nobody is suspected, and nothing breaks', async () => {
  const gone = new Redis({ port: 9, lazyConnect: true, enableOfflineQueue: false, retryStrategy: () => null });
  const runs = new RedisNameRuns(
    gone,
    service.app.get(DataSource),
    wallClock(() => time.now()),
  );
  for (let i = 0; i < 1_000; i += 1) runs.record(hunter.accountId, 'gone.example.com', false);
  expect(await runs.takeTurn(hunter.accountId, 'gone.example.com')).toBe(0);
  expect(runs.isSuspected(hunter.accountId, 'gone.example.com')).toBe(false);
  gone.disconnect();
});
