import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { DAY_MS } from '../../src/lib/durations.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { startMailService } from '../support/mail-service.js';
import { startScriptedSmtpServer } from '../support/scripted-smtp-server.js';
import type { TestService } from '../support/service.js';
import { confirmed, startWebhookSink, TO_LOOPBACK, type WebhookSink } from '../support/webhook-sink.js';

const HOUR_MS = DAY_MS / 24;
const CREDITS = 1_000;
const ROWS = 200;
/** Recipients that the host has answered for when the clock jumps: the batch is under way, and none of its parts is stored. */
const BEFORE_THE_JUMP = 20;

let later = 0;
let recipients = 0;
let jump = (): void => {};
let sink: WebhookSink;
let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  sink = await startWebhookSink();
  service = await startMailService({
    host: startScriptedSmtpServer({
      onLine: (line) => {
        if (!line.startsWith('RCPT')) return undefined;
        if (++recipients === BEFORE_THE_JUMP) jump();
        return /<ok/i.test(line) ? undefined : '550 5.1.1 User unknown';
      },
    }),
    timer: SYSTEM_TIMER,
    clock: { now: () => Date.now() + later },
    env: TO_LOOPBACK,
  });
});

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl }, { credits: CREDITS });
  const { body } = await call(service, '/api/v1/webhooks', { key: account.liveKey, body: { url: sink.url() } });
  await confirmed(service.env.databaseUrl, body.id, sink);
});

afterAll(async () => {
  await service.close();
  await sink.close();
});

const available = async (): Promise<number> => {
  const [{ available: left }] = (await onDatabase(
    service.env.databaseUrl,
    'SELECT available::int FROM credit_balances WHERE account_id = $1',
    [account.accountId],
  )) as [{ available: number }];
  return left;
};

it.each([
  ['an hour back', -HOUR_MS],
  ['a day on', DAY_MS],
  ['three days back', -3 * DAY_MS],
])(
  'a batch whose clock jumps %s ends with each verdict, one charge an address and one webhook, and so does what comes after it',
  async (_, byMs) => {
    const { liveKey: key } = account;
    const before = await available();
    recipients = 0;
    jump = () => (later += byMs);
    const run = randomUUID().slice(0, 8);
    const emails = Array.from(
      { length: ROWS },
      (__, i) => `${i % 20 === 0 ? 'no' : 'ok'}${i}@d${i % 10}.${run}.example.com`,
    );
    const { body: batch } = await call(service, '/api/v1/verify/batch', { key, body: { emails } });
    await sink.until(1);
    const { body: ended } = await call(service, `/api/v1/verify/batch/${batch.id}`, { key });
    expect([ended.status, ended.counts.valid, ended.counts.invalid]).toEqual(['completed', ROWS * 0.95, ROWS * 0.05]);
    expect(await available()).toBe(before - ROWS);

    const headers = { 'idempotency-key': randomUUID() };
    const single = { key, headers, body: { email: `ok@single.${run}.example.com` } };
    const once = await call(service, '/api/v1/verify', single);
    expect([once.status, once.body.verdict]).toEqual([200, 'valid']);
    expect((await call(service, '/api/v1/verify', single)).body).toEqual(once.body);
    expect(await available()).toBe(before - ROWS - 1);
    expect((await service.app.get(CreditsAudit).run()).differing).toEqual([]);
    expect(sink.received.splice(0).map(({ body }) => body.type)).toEqual(['batch.completed']);
  },
);
