import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CreditsAudit } from '../../src/credits/balance/credits-audit.js';
import { LieWatch } from '../../src/corrections/lie-watch.js';
import { RecentVerdicts } from '../../src/reuse/recent-verdicts.js';
import { VerificationEvents } from '../../src/verify/verification-events.js';
import { systemClock } from '../../src/verify/ports/node-ports.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call, register } from '../support/call.js';
import { type DnsReply, type DnsServer, startDnsServer } from '../support/dns-server.js';
import { mailboxes } from '../support/mail-scripts.js';
import { MovedClock } from '../support/manual-clock.js';
import { bodyOnce, isCompleted } from '../support/next-look.js';
import { type ScriptedSmtpServer, startScriptedSmtpServer } from '../support/scripted-smtp-server.js';
import { startService, type TestService } from '../support/service.js';

const KNOWN = 'large.com';
/** Two hosts of different owners, which a cache knows for a minute. */
const HOSTS = ['mx.good.net', 'mx.well.org'];
const TTL_SECONDS = 60;

function truth(name: string): DnsReply | undefined {
  if (HOSTS.includes(name)) return { A: ['127.0.0.1'], ttlSeconds: TTL_SECONDS };
  const number = /^good(\d+)\.com$/.exec(name)?.[1];
  if (number !== undefined) return { MX: [[10, HOSTS[Number(number) % 2]!]] };
  return undefined;
}

const time = new MovedClock();
const system = { ...systemClock };
/** A cache that goes on to know the known domain, in front of whoever denies everything else. */
const network = { isLying: false };
/** Ends the silence of the host at which an address of a batch waits. */
let answerSilent = (): void => {};
let silence = new Promise<void>(() => {});
let dns: DnsServer;
let smtp: ScriptedSmtpServer;
let service: TestService;
let account: FullAccount;
let domains = 0;

beforeAll(async () => {
  dns = await startDnsServer({
    zones: { [KNOWN]: { MX: [[10, 'mx.large.com']] }, 'silent.com': { MX: [[10, 'mx.silent.com']] } },
    answer: async (name) => {
      if (name === 'mx.silent.com') await silence;
      return network.isLying ? 'nxdomain' : truth(name);
    },
  });
  smtp = await startScriptedSmtpServer({ onLine: mailboxes('jane') });
  // The engine goes by the machine's time.
  Object.assign(systemClock, { now: () => time.now(), after: time.after.bind(time) });
  service = await startService({
    env: {
      dnsServers: [dns.address],
      dnsKnownDomains: [KNOWN],
      smtpPort: smtp.port,
      mxAllowedNetworks: ['127.0.0.0/8'],
    },
    clock: time,
  });
});

afterAll(async () => {
  Object.assign(systemClock, system);
  await service.close();
  await Promise.all([dns.close(), smtp.close()]);
});

/** The resolver has just been proven to tell the truth, by a host that no cache held. */
beforeEach(async () => {
  network.isLying = false;
  silence = new Promise((resolve) => (answerSilent = resolve));
  account = await createFullAccount({ url: service.env.databaseUrl });
  for (let i = 0; i < 4; i++) await verified(account.liveKey);
  time.advance(600_000);
  for (let i = 0; i < 4; i++) await verified(account.liveKey);
});

const fresh = () => `jane@good${(domains += 1)}.com`;
const ask = (path: string, body?: unknown, key = account.liveKey) =>
  call(service, `/api/v1${path}`, { key, ...(body !== undefined && { body }) });

async function verified(key: string, email = fresh(), reuseDays = 0) {
  const { body } = await ask('/verify', { email, ...(reuseDays > 0 && { reuse_days: reuseDays }) }, key);
  return body.data ?? body;
}

async function completed(path: string, key = account.liveKey) {
  return bodyOnce(async () => {
    const reply = await ask(path, undefined, key);
    return { ...reply, body: reply.body.data ?? reply.body };
  }, isCompleted);
}

/** The lie is found when the hosts have left the cache and are denied. */
async function findLie(): Promise<void> {
  time.advance((TTL_SECONDS + 10) * 1_000);
  expect(await verified(account.liveKey)).toMatchObject({ reason: 'dns_error', credits_charged: 0 });
  await service.app.get(LieWatch, { strict: false }).run();
}

const rows = (sql: string, ...values: unknown[]) => onDatabase(service.env.databaseUrl, sql, values);
const expectSoundBooks = async () => expect((await service.app.get(CreditsAudit).run()).differing).toEqual([]);

describe('what a lie behind a cache made invalid', () => {
  it('is refunded once, with a line in ledger and audit log, and an event without addresses', async () => {
    await ask('/webhooks', { url: 'https://hooks.example.com/', events: ['verification.corrected'] });
    const { remaining } = (await ask('/credits')).body;
    network.isLying = true;
    const singles = [await verified(account.liveKey), await verified(account.liveKey)];
    for (const single of singles)
      expect(single).toMatchObject({ verdict: 'invalid', reason: 'domain_not_found', credits_charged: 1 });
    const { body: batch } = await ask('/verify/batch', { emails: [fresh(), fresh(), fresh()] });
    expect(await completed(`/verify/batch/${batch.id}`)).toMatchObject({ counts: { invalid: 3 }, credits_charged: 3 });
    expect((await ask('/credits')).body.remaining).toBe(remaining - 5);

    await findLie();
    await findLie();
    expect((await ask('/credits')).body.remaining).toBe(remaining);
    const { body: ledger } = await ask('/credits/history?kind=adjust');
    expect(ledger.entries).toMatchObject([{ amount: 5, what_for: expect.stringContaining('DNS resolver') }]);
    const told = { verdicts: 5, credits_refunded: 5, batches: [{ batch_id: batch.id, verdicts: 3 }] };
    const { body: acts } = await ask('/audit');
    expect(acts.entries[0]).toMatchObject({
      act: 'verification.correct',
      actor: { key_id: null, name: 'mailsonde' },
      details: told,
    });
    const [event, ...others] = await rows(
      `SELECT data FROM webhook_events WHERE type = 'verification.corrected' AND account_id = $1`,
      account.accountId,
    );
    expect(others).toEqual([]);
    const ids = singles.map(({ request_id }) => request_id as string);
    expect(JSON.parse(event!.data as string)).toMatchObject({ ...told, request_ids: ids });
    expect(event!.data).not.toMatch(/@|good\d/);
    await expectSoundBooks();
  });

  it('goes back to the free credits of the day when an agent was charged', async () => {
    const agent = await register(service);
    network.isLying = true;
    expect(await verified(agent)).toMatchObject({ result: 'invalid' });
    const { body } = await ask('/verify/batch', { emails: [fresh(), fresh()] }, agent);
    await completed(`/verify/batch/${body.data.id}`, agent);
    const pool = () => rows('SELECT sum(used)::integer AS used FROM agent_daily_pool');
    const [before] = await pool();
    expect((await ask('/credits', undefined, agent)).body.data).toMatchObject({ used_today: 3 });
    await findLie();
    expect((await ask('/credits', undefined, agent)).body.data).toMatchObject({ used_today: 0 });
    expect(await pool()).toEqual([{ used: (before!.used as number) - 3 }]);
  });

  it('is refunded later when the database does not take it at once', async () => {
    const { remaining } = (await ask('/credits')).body;
    network.isLying = true;
    await verified(account.liveKey);
    await rows('ALTER TABLE audit_log RENAME TO away');
    await expect(findLie()).rejects.toThrow('audit_log');
    expect((await ask('/credits')).body.remaining).toBe(remaining - 1);
    await rows('ALTER TABLE away RENAME TO audit_log');
    await service.app.get(LieWatch, { strict: false }).run();
    expect((await ask('/credits')).body.remaining).toBe(remaining);
    await expectSoundBooks();
  });

  it('is asked about anew by whoever would be given a kept verdict', async () => {
    const [single, inBatch] = [fresh(), fresh()];
    await verified(account.liveKey, fresh(), 30);
    network.isLying = true;
    expect(await verified(account.liveKey, single, 30)).toMatchObject({ verdict: 'invalid' });
    await service.app.get(RecentVerdicts, { strict: false }).flush();
    expect(await verified(account.liveKey, single, 30)).toMatchObject({ verdict: 'invalid', credits_charged: 0 });
    const emails = [inBatch];
    const { body } = await ask('/verify/batch', { emails });
    expect(await completed(`/verify/batch/${body.id}`)).toMatchObject({ counts: { invalid: 1 } });
    await findLie();
    network.isLying = false;
    time.advance(11_000);
    expect(await verified(account.liveKey, single, 30)).toMatchObject({ verdict: 'valid', credits_charged: 1 });
    const { body: again } = await ask('/verify/batch', { emails, reuse_days: 30 });
    expect(await completed(`/verify/batch/${again.id}`)).toMatchObject({ counts: { valid: 1 }, reused: 0 });
  });

  it('is worked again where its part of a batch waits for other answers', async () => {
    const { remaining } = (await ask('/credits')).body;
    network.isLying = true;
    const answered: string[] = [];
    service.app.get(VerificationEvents, { strict: false }).listen(({ reason }) => answered.push(reason));
    const { body } = await ask('/verify/batch', { emails: ['jane@silent.com', fresh(), fresh()] });
    await expect.poll(() => answered).toEqual(['domain_not_found', 'domain_not_found']);
    await findLie();
    answerSilent();
    const waiting = await bodyOnce(
      () => ask(`/verify/batch/${body.id}`),
      (one) => one.waiting !== null,
    );
    expect(waiting).toMatchObject({
      counts: { invalid: 0 },
      credits_charged: 0,
      waiting: { reasons: { dns_error: 3 } },
    });
    await call(service, `/api/v1/verify/batch/${body.id}`, { key: account.liveKey, method: 'DELETE' });
    expect((await ask('/credits')).body.remaining).toBe(remaining);
  });
});

describe('a denial', () => {
  it('stays what it is, and paid, when hosts that no cache held were found after it', async () => {
    expect(await verified(account.liveKey, 'jane@gone.com')).toMatchObject({ reason: 'domain_not_found' });
    time.advance((TTL_SECONDS + 10) * 1_000);
    expect(await verified(account.liveKey)).toMatchObject({ verdict: 'valid' });
    const { remaining } = (await ask('/credits')).body;
    network.isLying = true;
    await findLie();
    expect((await ask('/credits')).body.remaining).toBe(remaining);
    expect(
      await rows('SELECT FROM credit_ledger WHERE account_id = $1 AND kind = $2', account.accountId, 'adjust'),
    ).toEqual([]);
  });
});
