import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BatchWorker } from '../../src/batch/worker/batch-worker.js';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { startMailService } from '../support/mail-service.js';
import { startScriptedSmtpServer } from '../support/scripted-smtp-server.js';
import type { TestService } from '../support/service.js';

const MINUTE = 60_000;
const SOFT = '451 4.7.1 Greylisted, please come back later';

const time = { later: 0, now: () => Date.now() + time.later };
const asked: string[] = [];
let isGreylisting = true;
let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  service = await startMailService({
    host: startScriptedSmtpServer({
      onLine: (line) => {
        const address = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1];
        if (address === undefined) return undefined;
        asked.push(address);
        if (isGreylisting && (address.startsWith('grey') || /@roles\d/.test(address))) return SOFT;
        return /^(?:grey|ok|jane@|info@)/.test(address) ? undefined : '550 5.1.1 User unknown';
      },
    }),
    dns: {
      answer: (name, type) => {
        if (type === 'MX') return { MX: [[10, `mx.${name}`]] };
        // Nobody listens at 127.0.0.3.
        return name.startsWith('mx.') ? { A: [name.startsWith('mx.silent') ? '127.0.0.3' : '127.0.0.1'] } : undefined;
      },
    },
    clock: time,
  });
  account = await createFullAccount({ url: service.env.databaseUrl }, { credits: 100 });
});

afterAll(() => service.close());

interface Result {
  readonly reason: string;
  readonly verdict: string;
  readonly checks: { readonly role: boolean };
  readonly credits_charged: number;
}

async function submit(emails: readonly string[], retry_window_seconds?: number) {
  const { body } = await call(service, '/api/v1/verify/batch', {
    key: account.liveKey,
    body: { emails, retry_window_seconds },
  });
  const path = `/api/v1/verify/batch/${String(body.id)}`;
  const status = async () => (await call(service, path, { key: account.liveKey })).body;
  const results = async () =>
    (await call(service, `${path}/results`, { key: account.liveKey })).body.results as Result[];
  return {
    status,
    waiting: async () => (await status()).waiting,
    results,
    reasons: async () => (await results()).map(({ reason }) => reason),
    /** Lets the time of the next try come, and waits until something is new. */
    next: async () => {
      const before = await status();
      time.later += Date.parse(before.waiting.next_try_at) - time.now() + 1;
      await service.app.get(BatchWorker).wake();
      const stand = ({ status: state, processed, waiting }: typeof before) =>
        JSON.stringify([state, processed, waiting]);
      await expect.poll(async () => stand(await status())).not.toBe(stand(before));
    },
  };
}

const times = (email: string) => asked.filter((address) => address === email).length;

it('a batch tells what waits for which reason, tries soft answers soon and silent hosts once at half of its window, and ends with it', async () => {
  isGreylisting = true;
  const beganAt = time.now();
  const { waiting, next, status, reasons } = await submit(
    ['ok.a@fine.example.com', 'grey.b@fine.example.com', 'c@silent.example.com', 'grey.d@fine.example.com'],
    7_200,
  );
  await expect.poll(async () => (await waiting())?.count).toBe(3);
  const first = await waiting();
  expect(first.reasons).toEqual({ greylisted: 2, smtp_unreachable: 1 });
  const minutesUntil = (text: string) => Math.round((Date.parse(text) - beganAt) / MINUTE);
  expect(minutesUntil(first.next_try_at)).toBe(5);
  expect(minutesUntil(first.until)).toBe(120);
  expect(await status()).toMatchObject({ status: 'processing', processed: 1, credits_charged: 1 });
  expect(minutesUntil((await status()).estimated_completion_at)).toBeGreaterThanOrEqual(5);

  const tried: number[] = [];
  while ((await status()).status === 'processing') {
    tried.push(minutesUntil((await waiting()).next_try_at));
    await next();
  }
  expect(tried).toEqual([5, 30, 60, 120]);
  expect((await status()).waiting).toBeNull();
  expect((await status()).counts).toEqual({ valid: 1, invalid: 0, risky: 0, unknown: 3 });
  expect(await reasons()).toEqual(['mailbox_exists', 'greylisted', 'smtp_unreachable', 'greylisted']);
  expect(times('grey.b@fine.example.com')).toBeGreaterThanOrEqual(5);
  expect(times('ok.a@fine.example.com')).toBe(1);
});

const remaining = async () => (await call(service, '/api/v1/credits', { key: account.liveKey })).body.remaining;
const told = ({ verdict, reason, checks, credits_charged }: Result) => [verdict, reason, checks.role, credits_charged];

describe('a role address beside a name, both greylisted', () => {
  it('a role address beside a name, both greylisted waits and is tried again with it, and is charged once as a role account when it is accepted', async () => {
    isGreylisting = true;
    const [jane, info] = ['jane@roles1.example.com', 'info@roles1.example.com'] as const;
    const before = await remaining();
    const { waiting, next, status, results } = await submit([jane, info], 900);
    await expect.poll(async () => (await waiting())?.count).toBe(2);
    const { reasons, next_try_at } = await waiting();
    expect(reasons).toEqual({ greylisted: 2 });
    await next();
    expect(await waiting()).toMatchObject({ count: 2, reasons });
    expect(Date.parse((await waiting()).next_try_at)).toBeGreaterThan(Date.parse(next_try_at));
    expect(await status()).toMatchObject({ status: 'processing', processed: 0, credits_charged: 0 });
    isGreylisting = false;
    await next();
    expect(await status()).toMatchObject({ status: 'completed', credits_charged: 2, waiting: null });
    expect((await results()).map(told)).toEqual([
      ['valid', 'mailbox_exists', false, 1],
      ['risky', 'role_account', true, 1],
    ]);
    expect(times(info)).toBe(times(jane));
    expect(await remaining()).toBe(before - 2);
  });

  it('a role address beside a name, both greylisted is unknown with its own reason and free at the end of the window, as often tried as the name', async () => {
    isGreylisting = true;
    const [jane, info] = ['jane@roles2.example.com', 'info@roles2.example.com'] as const;
    const before = await remaining();
    const { waiting, next, status, results } = await submit([jane, info, 'info@silent4.example.com'], 900);
    await expect.poll(async () => (await waiting())?.count).toBe(3);
    const waited: unknown[] = [];
    while ((await status()).status === 'processing') {
      waited.push((await waiting()).reasons);
      await next();
    }
    const both = { greylisted: 2, smtp_unreachable: 1 };
    expect(waited).toEqual([both, both, { greylisted: 2 }]);
    expect((await results()).map(told)).toEqual([
      ['unknown', 'greylisted', false, 0],
      ['unknown', 'greylisted', true, 0],
      ['unknown', 'smtp_unreachable', true, 0],
    ]);
    expect(times(jane)).toBeGreaterThanOrEqual(4);
    expect(times(info)).toBe(times(jane));
    expect(await status()).toMatchObject({ credits_charged: 0, counts: { unknown: 3 } });
    expect(await remaining()).toBe(before);
  });

  it('a role address beside a name, both greylisted is tried once more with it by a worker that comes after the window, and what is accepted then is charged once', async () => {
    isGreylisting = true;
    const before = await remaining();
    const { waiting, status, results } = await submit(['jane@roles3.example.com', 'info@roles3.example.com'], 900);
    await expect.poll(async () => (await waiting())?.count).toBe(2);
    isGreylisting = false;
    time.later += 100 * MINUTE;
    await service.app.get(BatchWorker).wake();
    await expect.poll(async () => (await status()).status).toBe('completed');
    expect((await results()).map(told)).toEqual([
      ['valid', 'mailbox_exists', false, 1],
      ['risky', 'role_account', true, 1],
    ]);
    expect(await remaining()).toBe(before - 2);
    expect((await service.app.get(CreditsAudit).run()).differing).toEqual([]);
  });
});

it('the end of a list whose rest waits stands at its next try, and never after its window', async () => {
  isGreylisting = true;
  const grey = 'grey.h@fifth.example.com';
  const { waiting, next, status } = await submit(['ok.h@fifth.example.com', grey, grey, grey, grey], 900);
  await expect.poll(async () => (await waiting())?.count).toBe(1);
  const { until } = await waiting();
  const ends: number[] = [];
  while ((await status()).status === 'processing') {
    // A second before the next try, when all the time since the begin has brought nothing.
    time.later += Date.parse((await waiting()).next_try_at) - time.now() - 1_000;
    const { estimated_completion_at: end, waiting: left } = await status();
    expect(end).toBe(left.next_try_at);
    ends.push(Math.round((Date.parse(end) - Date.parse(until)) / 1000));
    await next();
  }
  expect(ends).toEqual([-750, -450, 0]);
});

it('a silent host waits alone for half of the window, and what is accepted later is charged then', async () => {
  isGreylisting = true;
  const alone = await submit(['x@silent2.example.com'], 3_600);
  const soft = await submit(['grey.e@other.example.com'], 3_600);
  await expect.poll(async () => (await alone.waiting())?.count).toBe(1);
  await expect.poll(async () => (await soft.waiting())?.count).toBe(1);
  const { next_try_at, until } = await alone.waiting();
  expect(Math.round((Date.parse(until) - Date.parse(next_try_at)) / MINUTE)).toBe(30);
  isGreylisting = false;
  await soft.next();
  expect(await soft.status()).toMatchObject({ status: 'completed', credits_charged: 1, waiting: null });
  await alone.next();
  expect(await alone.status()).toMatchObject({ status: 'completed', credits_charged: 0, counts: { unknown: 1 } });
  expect((await service.app.get(CreditsAudit).run()).differing).toEqual([]);
});

it('a window of 0 takes every answer as it comes', async () => {
  isGreylisting = true;
  const { status } = await submit(['grey.f@third.example.com', 'x@silent3.example.com'], 0);
  await expect.poll(async () => (await status()).status).toBe('completed');
  expect(await status()).toMatchObject({ counts: { unknown: 2 }, waiting: null });
});

it('a worker that was away for longer than the window tries once more and ends the batch', async () => {
  isGreylisting = true;
  const { status, waiting } = await submit(['grey.g@fourth.example.com'], 900);
  await expect.poll(async () => (await waiting())?.count).toBe(1);
  time.later += 100 * MINUTE;
  await service.app.get(BatchWorker).wake();
  await expect.poll(async () => (await status()).status).toBe('completed');
});

it('the window comes in the body, the query or a form, for people too, and is refused when it is none', async () => {
  const key = account.testKey;
  const windows = () =>
    onDatabase(service.env.databaseUrl, 'SELECT retry_window_seconds AS seconds FROM batches ORDER BY created_at DESC');
  for (const path of ['/api/v1/verify/batch', '/api/v1/finder/batch']) {
    const items = path.includes('finder')
      ? { people: [{ full_name: 'Jane Doe', domain: 'acme.com' }] }
      : { emails: ['valid@acme.com'] };
    for (const wrong of [86_401, -1, 1.5, '60', true, [60], {}]) {
      const { status, body } = await call(service, path, { key, body: { ...items, retry_window_seconds: wrong } });
      expect([status, body.fields?.[0].field], JSON.stringify(wrong)).toEqual([422, 'retry_window_seconds']);
    }
    time.later += 1_000;
    expect((await call(service, path, { key, body: { ...items, retry_window_seconds: 86_400 } })).status).toBe(201);
    expect((await windows())[0]).toEqual({ seconds: 86_400 });
  }
  const send = async (query: string, body: string | FormData, headers = {}) => {
    time.later += 1_000;
    const url = `${service.url}/api/v1/verify/batch${query}`;
    const reply = await fetch(url, { method: 'POST', body, headers: { authorization: `Bearer ${key}`, ...headers } });
    return [reply.status, (await windows())[0]!['seconds']];
  };
  const csv = { 'content-type': 'text/csv' };
  expect(await send('?retry_window_seconds=60', 'email\nvalid@acme.com\n', csv)).toEqual([201, 60]);
  expect((await send('?retry_window_seconds=1e3', 'email\nvalid@acme.com\n', csv))[0]).toBe(422);
  const form = (value: string) => {
    const body = new FormData();
    body.set('retry_window_seconds', value);
    body.set('file', new Blob(['valid@acme.com\n'], { type: 'text/plain' }), 'list.txt');
    return body;
  };
  expect(await send('', form('120'))).toEqual([201, 120]);
  expect((await send('', form('soon')))[0]).toBe(422);
});
