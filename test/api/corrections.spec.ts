import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { BatchWorker } from '../../src/batch/worker/batch-worker.js';
import { Corrections } from '../../src/corrections/corrections.service.js';
import { utcDay } from '../../src/credits/usage/utc-day.js';
import { LieWatch } from '../../src/corrections/lie-watch.js';
import { RecentVerdicts } from '../../src/reuse/recent-verdicts.js';
import { VerificationEvents } from '../../src/verify/engine.provider.js';
import { systemClock } from '../../src/verify/ports/node-ports.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase, queueBatch, readAnswers } from '../support/batches.js';
import { call, register } from '../support/call.js';
import type { DnsReply } from '../support/dns-server.js';
import { startMailService } from '../support/mail-service.js';
import { mailboxes } from '../support/mail-scripts.js';
import { MovedClock } from '../support/manual-clock.js';
import { bodyOnce, isCompleted } from '../support/next-look.js';
import { startScriptedSmtpServer } from '../support/scripted-smtp-server.js';
import type { TestService } from '../support/service.js';

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
const network = { isLying: false, late: noAnswer };
function noAnswer(): DnsReply | Promise<DnsReply> {
  return 'servfail';
}

/** Ends the silence of the host at which an address of a batch waits. */
let answerSilent = (): void => {};
let silence = new Promise<void>(() => {});
let service: TestService;
let account: FullAccount;
let domains = 0;

beforeAll(async () => {
  // The engine goes by the machine's time.
  Object.assign(systemClock, { now: () => time.now(), after: time.after.bind(time) });
  service = await startMailService({
    host: startScriptedSmtpServer({ onLine: mailboxes('jane') }),
    dns: {
      zones: { [KNOWN]: { MX: [[10, 'mx.large.com']] }, 'silent.com': { MX: [[10, 'mx.silent.com']] } },
      answer: async (name) => {
        if (name === 'mx.silent.com') await silence;
        if (name === 'late.com') return network.late();
        return network.isLying ? 'nxdomain' : truth(name);
      },
    },
    env: { dnsKnownDomains: [KNOWN] },
    clock: time,
  });
});

afterAll(async () => {
  Object.assign(systemClock, system);
  await service.close();
});

/** The resolver has just been proven to tell the truth, by a host that no cache held. */
beforeEach(async () => {
  network.isLying = false;
  network.late = noAnswer;
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
  it('what a lie behind a cache made invalid is refunded once, with a line in ledger and audit log, and an event without addresses', async () => {
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
    const told = { verdicts: 5, credits_refunded: 5, batches: [{ batch_id: batch.id, verdicts: 3, asked_again: 0 }] };
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

  it('what a lie behind a cache made invalid goes back to the free credits of the day when an agent was charged', async () => {
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

  it('what a lie behind a cache made invalid goes back to each UTC day from which it was taken, also where the answer came on the next one', async () => {
    const [agent, other] = [await register(service), await register(service)];
    const dayMs = 86_400_000;
    const leftMs = () => dayMs - (time.now() % dayMs);
    // Soon before midnight both have asked for what is answered after it, and while they wait for it.
    time.advance(leftMs() - 6_000);
    const today = utcDay(time.now()).date;
    await Promise.all(HOSTS.map(() => verified(account.liveKey)));
    network.isLying = true;
    expect(await verified(agent)).toMatchObject({ result: 'invalid' });
    let asked = 0;
    let answerLate: (reply: DnsReply) => void = () => {};
    const answer = new Promise<DnsReply>((resolve) => (answerLate = resolve));
    network.late = () => {
      asked += 1;
      return answer;
    };
    const late = verified(agent, 'jane@late.com');
    await expect.poll(() => asked).toBeGreaterThan(0);
    const { body } = await ask('/verify/batch', { emails: ['joan@late.com'] }, other);
    const path = `/verify/batch/${body.data.id}`;
    await bodyOnce(
      () => ask(path, undefined, other),
      ({ data }) => data.status === 'processing',
    );
    time.advance(leftMs());
    answerLate('nxdomain');
    expect(await late).toMatchObject({ result: 'invalid' });
    expect(await completed(path, other)).toMatchObject({ counts: { invalid: 1 } });
    expect(await verified(agent)).toMatchObject({ result: 'invalid' });

    const usage = (date: string) =>
      rows('SELECT used FROM agent_daily_usage WHERE used > 0 AND utc_date = $1 ORDER BY used', date);
    const tomorrow = utcDay(time.now()).date;
    expect(await usage(today)).toEqual([{ used: 1 }, { used: 2 }]);
    expect(await usage(tomorrow)).toEqual([{ used: 1 }]);
    await findLie();
    expect([await usage(today), await usage(tomorrow)]).toEqual([[], []]);
    expect((await ask('/credits', undefined, agent)).body.data).toMatchObject({ used_today: 0 });
  });

  it('what a lie behind a cache made invalid is refunded later when the database does not take it at once', async () => {
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

  it('what a lie behind a cache made invalid is asked about anew by whoever would be given a kept verdict', async () => {
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

  it('what a lie behind a cache made invalid is worked again where its part of a batch waits for other answers', async () => {
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

describe('the rows of a batch that runs', () => {
  const LATE = 'jane@late.com';
  const wakeWorker = () => void service.app.get(BatchWorker, { strict: false }).wake();
  const status = (id: number) => ask(`/verify/batch/${id}`);
  const adjustments = async () =>
    (await ask('/credits/history?kind=adjust')).body.entries.map(({ amount }: { amount: number }) => amount);

  /** The batch, when so many rows of it are stored as invalid. */
  const denied = (id: number, invalid: number) =>
    bodyOnce(
      () => status(id),
      ({ counts, waiting }) => counts.invalid === invalid && waiting !== null,
    );

  /** While the resolver lies one domain gets no answer, so that the batch waits; the other addresses are denied. */
  async function submitted(...others: string[]): Promise<number> {
    network.isLying = true;
    const { body } = await ask('/verify/batch', { emails: [LATE, ...others] });
    await denied(body.id, others.length);
    return body.id;
  }

  /** The resolver is honest again, the domain answers, and the next try comes. */
  function recover(): void {
    network.isLying = false;
    network.late = () => ({ MX: [[10, HOSTS[0]!]] });
    time.advance(150_000);
    wakeWorker();
  }

  /** What was told of the denials that are stored in the only chunk of a batch. */
  async function liesOf(id: number) {
    const answers = [...(await readAnswers(service.env.databaseUrl, id)).values()].flat();
    return answers
      .filter(({ verification }) => verification.reason === 'domain_not_found')
      .map(({ offset, creditsCharged: credits, verification: { email: address, checkedAt: at } }) => {
        const row = { batchId: id, ref: offset };
        return { accountId: account.accountId, address, at, credits, utcDate: null, requestId: null, row };
      });
  }

  it('the rows of a batch that runs lose a false verdict with their part that waits for other answers, and get the true one for nothing before the end', async () => {
    await ask('/webhooks', { url: 'https://hooks.example.com/', events: ['verification.corrected'] });
    const { remaining } = (await ask('/credits')).body;
    const [one, twice] = [fresh(), fresh()];
    const id = await submitted(one, twice, twice);
    expect((await status(id)).body).toMatchObject({ counts: { invalid: 3 }, credits_charged: 2 });
    await findLie();
    expect((await status(id)).body).toMatchObject({
      status: 'processing',
      processed: 0,
      counts: { valid: 0, invalid: 0, risky: 0, unknown: 0 },
      credits_charged: 0,
      waiting: { reasons: { dns_error: 3 } },
    });
    const partial = (await ask(`/verify/batch/${id}/results?partial=true`)).body.results;
    expect(partial.map(({ pending }: { pending: boolean }) => pending)).toEqual([true, true, true, true]);
    const batches = [{ batch_id: id, verdicts: 2, asked_again: 2 }];
    const told = { verdicts: 2, credits_refunded: 2, batches };
    expect((await ask('/audit')).body.entries[0]).toMatchObject({ act: 'verification.correct', details: told });
    const [event] = await rows(
      `SELECT data FROM webhook_events WHERE type = 'verification.corrected' AND account_id = $1`,
      account.accountId,
    );
    expect(JSON.parse(event!.data as string)).toMatchObject(told);

    recover();
    expect(await completed(`/verify/batch/${id}`)).toMatchObject({
      processed: 4,
      counts: { valid: 4, invalid: 0, risky: 0, unknown: 0 },
      credits_charged: 1,
    });
    const { results } = (await ask(`/verify/batch/${id}/results`)).body;
    expect(
      results.map(({ email, verdict, credits_charged: credits }: Record<string, unknown>) => [email, verdict, credits]),
    ).toEqual([
      [LATE, 'valid', 1],
      [one, 'valid', 0],
      [twice, 'valid', 0],
      [twice, 'valid', 0],
    ]);
    const { body: summary } = await ask(`/verify/batch/${id}/summary`);
    expect(summary).toMatchObject({ processed: 4, reasons: [{ reason: 'mailbox_exists', rows: 4 }] });
    expect((await ask('/credits')).body.remaining).toBe(remaining - 1);
    expect(await adjustments()).toEqual([2]);
    await expectSoundBooks();
  });

  it('the rows of a batch that runs lose a false verdict with their part that was done, which the batch waits for once more', async () => {
    const { remaining } = (await ask('/credits')).body;
    network.isLying = true;
    const emails = [LATE, fresh(), fresh(), fresh()];
    const id = await queueBatch(service.env.databaseUrl, { accountId: account.accountId, emails, chunkSize: 2 });
    wakeWorker();
    await denied(id, 3);
    expect((await rows('SELECT open_chunks FROM batches WHERE id = $1', id))[0]).toEqual({ open_chunks: 1 });
    await findLie();
    expect((await status(id)).body).toMatchObject({ processed: 0, credits_charged: 0, waiting: { count: 4 } });
    expect((await rows('SELECT open_chunks FROM batches WHERE id = $1', id))[0]).toEqual({ open_chunks: 2 });
    recover();
    expect(await completed(`/verify/batch/${id}`)).toMatchObject({ counts: { valid: 4 }, credits_charged: 1 });
    expect([...(await readAnswers(service.env.databaseUrl, id)).values()].map((answers) => answers.length)).toEqual([
      1, 1, 1, 1,
    ]);
    expect((await ask('/credits')).body.remaining).toBe(remaining - 1);
    await expectSoundBooks();
  });

  it('the rows of a batch that runs are taken from a worker in the middle of a try, and the others of their part lose no retry by it', async () => {
    const id = await submitted(fresh(), fresh());
    const { waiting: first } = (await status(id)).body;
    let asked = 0;
    let answerLate: (reply: DnsReply) => void = () => {};
    network.late = () => {
      asked += 1;
      return new Promise((resolve) => (answerLate = resolve));
    };
    // The hosts have left the cache by the time of the next try, which finds the lie itself.
    time.advance(150_000);
    wakeWorker();
    await bodyOnce(
      () => status(id),
      ({ counts }) => asked > 0 && counts.invalid === 0,
    );
    network.late = noAnswer;
    answerLate({ MX: [[10, HOSTS[0]!]] });
    wakeWorker();
    const { waiting } = await bodyOnce(
      () => status(id),
      (body) => body.waiting.next_try_at > first.next_try_at,
    );
    expect(waiting).toMatchObject({ until: first.until, reasons: { dns_error: 3 } });
    expect(Date.parse(waiting.until) - Date.parse(waiting.next_try_at)).toBe(450_000);
    time.advance(150_000);
    recover();
    expect(await completed(`/verify/batch/${id}`)).toMatchObject({ counts: { valid: 3 }, credits_charged: 1 });
    await expectSoundBooks();
  });

  it('the rows of a batch that runs are refunded and asked about once, however often the same lie is told', async () => {
    const corrections = service.app.get(Corrections, { strict: false });
    const id = await submitted(fresh(), fresh());
    const lies = await liesOf(id);
    expect(lies).toHaveLength(2);
    await findLie();
    const { body: before } = await status(id);
    expect(await corrections.correct(lies)).toEqual({ isTold: false, failed: [], fault: null });
    expect((await status(id)).body).toEqual(before);
    recover();
    expect(await completed(`/verify/batch/${id}`)).toMatchObject({ counts: { valid: 3 }, credits_charged: 1 });
    await corrections.correct(lies);
    expect(await adjustments()).toEqual([2]);
    expect(
      (await ask('/audit')).body.entries.filter(({ act }: { act: string }) => act === 'verification.correct'),
    ).toHaveLength(1);
    await expectSoundBooks();
  });

  it('the rows of a batch that runs keep their verdicts when the batch was cancelled before, and are refunded once', async () => {
    const { remaining } = (await ask('/credits')).body;
    const id = await submitted(fresh(), fresh());
    const lies = await liesOf(id);
    await call(service, `/api/v1/verify/batch/${id}`, { key: account.liveKey, method: 'DELETE' });
    await findLie();
    await service.app.get(Corrections, { strict: false }).correct(lies);
    expect((await status(id)).body).toMatchObject({ status: 'cancelled', counts: { invalid: 2 }, credits_charged: 2 });
    expect((await ask('/audit')).body.entries[0].details).toMatchObject({
      batches: [{ batch_id: id, verdicts: 2, asked_again: 0 }],
    });
    expect((await ask('/credits')).body.remaining).toBe(remaining);
    expect(await adjustments()).toEqual([2]);
    await expectSoundBooks();
  });

  it('the rows of a batch that runs have one more try at once where the batch has no retries, and are unknown for nothing while the resolver lies', async () => {
    const { remaining } = (await ask('/credits')).body;
    const ids = { accountId: account.accountId, emails: [LATE, fresh()], chunkSize: 1 };
    const later = new Date(time.now() + 3_600_000);
    const id = await queueBatch(service.env.databaseUrl, { ...ids, dueAt: later });
    await rows('UPDATE batches SET retry_window_seconds = 0 WHERE id = $1', id);
    network.isLying = true;
    await rows(`UPDATE batch_chunks SET due_at = now() - interval '1 hour' WHERE batch_id = $1 AND number = 1`, id);
    wakeWorker();
    await bodyOnce(
      () => status(id),
      ({ counts }) => counts.invalid === 1,
    );
    await findLie();
    wakeWorker();
    const again = await bodyOnce(
      () => status(id),
      ({ counts }) => counts.unknown === 1,
    );
    expect(again).toMatchObject({ status: 'processing', processed: 1, counts: { invalid: 0 }, credits_charged: 0 });
    time.advance(3_600_000);
    wakeWorker();
    expect(await completed(`/verify/batch/${id}`)).toMatchObject({ counts: { unknown: 2 }, credits_charged: 0 });
    expect((await ask('/credits')).body.remaining).toBe(remaining);
    await expectSoundBooks();
  });
});

describe('a denial', () => {
  it('a denial stays what it is, and paid, when hosts that no cache held were found after it', async () => {
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
