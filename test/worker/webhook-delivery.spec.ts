import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { addToOutbox } from '../../src/events/outbox.js';
import { EndpointSecrets } from '../../src/webhooks/endpoint-secrets.js';
import { WebhookCleanup } from '../../src/webhooks/worker/webhook-cleanup.js';
import { WebhookSender } from '../../src/webhooks/worker/webhook-sender.js';
import { WebhookWorker } from '../../src/webhooks/worker/webhook-worker.processor.js';
import { WebhookWorkerStore } from '../../src/webhooks/worker/webhook-worker.store.js';
import { createFullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { held } from '../support/held.js';
import { ManualClock } from '../support/manual-clock.js';
import { startService, type TestService } from '../support/service.js';
import { confirmed, startWebhookSink, TO_LOOPBACK, type WebhookSink } from '../support/webhook-sink.js';

const [S, M, H] = [1_000, 60_000, 3_600_000];
const DAY = 24 * H;
const SCHEDULE = [0, 5 * S, 5 * M, 30 * M, 2 * H, 5 * H, 10 * H, 14 * H, 20 * H, 24 * H];
const DEADLINE = 15 * S;

let clock: ManualClock;
let service: TestService;
let sink: WebhookSink;
let key: string;
let endpoint: { id: string };

beforeAll(async () => {
  clock = new ManualClock(Date.now());
  service = await startService({ env: TO_LOOPBACK, clock, timer: clock });
});

afterAll(() => service.close());

beforeEach(async () => {
  sink = await startWebhookSink();
  key = (await createFullAccount({ url: service.env.databaseUrl })).liveKey;
  endpoint = await ask('', { url: sink.url() });
  await confirmed(service.env.databaseUrl, endpoint.id, sink);
});

afterEach(async () => {
  await call(service, `/api/v1/webhooks/${endpoint.id}`, { key, method: 'DELETE' });
  await sink.close();
});

const ask = async (path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') =>
  (await call(service, `/api/v1/webhooks${path}`, { key, body, method })).body;

const wake = () => service.app.get(WebhookWorker).wake();
const test = () => ask(`/${endpoint.id}/test`, undefined, 'POST');
const show = () => ask(`/${endpoint.id}`);

/** The delivery, once it has been attempted so often and nobody works on it any more. */
async function attempted(id: string, count: number) {
  await wake();
  await expect
    .poll(
      async () => {
        const [{ owner }] = (await onDatabase(
          service.env.databaseUrl,
          'SELECT lease_owner AS owner FROM webhook_endpoints WHERE id = $1',
          [endpoint.id],
        )) as [{ owner: string | null }];
        return [(await ask(`/deliveries/${id}`)).attempts.length, owner];
      },
      { interval: 5 },
    )
    .toEqual([count, null]);
  return ask(`/deliveries/${id}`);
}

async function ownerOf(id: string): Promise<string> {
  const sql = 'SELECT account_id FROM webhook_endpoints WHERE id = $1';
  return (await onDatabase(service.env.databaseUrl, sql, [id]))[0]!['account_id'] as string;
}

const INSERT_HANGING = `
  INSERT INTO webhook_endpoints (id, account_id, simulated, url, events, created_via, secret, created_at)
  VALUES ($1, $2, false, $3, '{credits.low}', 'api', $4, $5)`;

function moveTo(time: string): void {
  clock.advance(Date.parse(time) - clock.now());
}

describe('an endpoint that answers 500', () => {
  it('an endpoint that answers 500 is tried by the whole schedule of 75 hours, each time to the millisecond and with the same id, and then no more', async () => {
    sink.answer = (_, response) => response.writeHead(500).end('broken');
    const startedAt = clock.now();
    let delivery = await attempted((await test()).id, 1);
    for (const [i, delay] of SCHEDULE.slice(1).entries()) {
      const waited = Date.parse(delivery.next_attempt_at) - clock.now();
      expect(waited).toBeGreaterThanOrEqual(delay);
      expect(waited).toBeLessThanOrEqual(delay * 1.1);
      const due = delivery.next_attempt_at;
      clock.advance(waited - 1);
      await wake();
      clock.advance(1);
      delivery = await attempted(delivery.id, i + 2);
      expect(delivery.attempts.at(-1)).toMatchObject({ number: i + 2, at: due, status: 500, reply: 'broken' });
    }
    expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null });
    expect(clock.now() - startedAt).toBeGreaterThanOrEqual(75 * H);
    expect(new Set(sink.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(sink.received.map(({ text }) => text)).size).toBe(1);
    expect(new Set(sink.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
    expect(await show()).toMatchObject({ enabled: true, failing_since: new Date(startedAt).toISOString() });
  });

  it('an endpoint that answers 500 that answers 2xx again has its failures set back to none', async () => {
    sink.answer = (_, response) => response.writeHead(503).end();
    const { id } = await attempted((await test()).id, 1);
    sink.answer = (_, response) => response.writeHead(200).end();
    clock.advance(6 * S);
    expect(await attempted(id, 2)).toMatchObject({ status: 'succeeded', next_attempt_at: null });
    const now = new Date(clock.now()).toISOString();
    expect(await show()).toMatchObject({ failing_since: null, last_success_at: now });
  });
});

describe('one attempt', () => {
  it('one attempt ends after 15 s when nothing is answered', async () => {
    sink.answer = () => undefined;
    const { id } = await test();
    await wake();
    await sink.until(1);
    await clock.armed(DEADLINE);
    clock.advance(DEADLINE);
    const { attempts, status } = await attempted(id, 1);
    expect(attempts).toMatchObject([{ status: null, error: 'timeout', latency_ms: DEADLINE, reply: '' }]);
    expect(status).toBe('pending');
  });

  it('one attempt fails when the connection is closed, and when there is none', async () => {
    sink.answer = (_, __, request) => request.socket.destroy();
    const { id } = await attempted((await test()).id, 1);
    const { url } = await ask(`/${endpoint.id}`, { url: 'http://127.0.0.1:1/' }, 'PATCH');
    expect(url).toBe('http://127.0.0.1:1/');
    clock.advance(6 * S);
    const { attempts } = await attempted(id, 2);
    expect(attempts).toMatchObject([{ error: 'connection_closed' }, { error: 'connection_refused' }]);
  });

  it.each([301, 302, 303, 307, 308])('one attempt fails with %i, and nobody goes where it points', async (status) => {
    sink.answer = (_, response) => response.writeHead(status, { location: sink.url('/elsewhere') }).end();
    const { attempts } = await attempted((await test()).id, 1);
    expect(attempts).toMatchObject([{ status, error: null }]);
    expect(sink.received.map(({ path }) => path)).toEqual(['/hook']);
  });

  it.each([
    [200, 'succeeded'],
    [500, 'pending'],
  ])('one attempt keeps the first 1 KiB of 2 MB that are answered with %i', async (status, state) => {
    sink.answer = (_, response) => response.writeHead(status).end(`ü${'x'.repeat(2_000_000)}`);
    const delivery = await attempted((await test()).id, 1);
    expect(delivery.status).toBe(state);
    expect(delivery.attempts[0]).toMatchObject({ status, reply: `ü${'x'.repeat(1_022)}` });
  });

  it('one attempt succeeds with the status, although the body never ends', async () => {
    sink.answer = (_, response) => void response.writeHead(200).write('so far');
    const { id } = await test();
    await wake();
    await sink.until(1);
    // Nobody outside knows when the sender has begun to read the body: a second passes between two questions, at most 14 of the 15 it has.
    for (let i = 0; i < 14 && (await ask(`/deliveries/${id}`)).attempts.length === 0; i++) clock.advance(1 * S);
    expect(await attempted(id, 1)).toMatchObject({ status: 'succeeded', attempts: [{ status: 200 }] });
  });
});

it('a delivery that begins after the stop is not sent', async () => {
  const sender = service.app.get(WebhookSender, { strict: false });
  const destination = { address: '127.0.0.1', lookUpMs: 0 };
  const outgoing = { url: sink.url(), destination, headers: {}, body: Buffer.from('{}') };
  await expect(sender.send(outgoing, AbortSignal.abort(new Error('stopping')))).rejects.toThrow('stopping');
  expect(sink.received).toEqual([]);
});

it('a lease that a fault of PostgreSQL kept from being released expires, although the worker renews its others', async () => {
  const other = await startWebhookSink();
  onTestFinished(() => other.close());
  const { id } = await ask('', { url: other.url() });
  await confirmed(service.env.databaseUrl, id, other);
  other.answer = () => undefined;
  await ask(`/${id}/test`, undefined, 'POST');
  await wake();
  await other.until(1);
  const store = service.app.get(WebhookWorkerStore, { strict: false });
  const away = new Error('PostgreSQL is away');
  const faults = [
    vi.spyOn(store, 'nextDelivery').mockRejectedValueOnce(away),
    vi.spyOn(store, 'release').mockRejectedValueOnce(away),
  ];
  await test();
  await wake();
  await expect.poll(() => faults.every((spy) => spy.mock.results.length > 0)).toBe(true);
  for (const spy of faults) spy.mockRestore();
  const leases = async () => {
    const sql = 'SELECT lease_expires_at AS at FROM webhook_endpoints WHERE id = ANY ($1) ORDER BY id = $2';
    const rows = await onDatabase(service.env.databaseUrl, sql, [[id, endpoint.id], endpoint.id]);
    return rows.map(({ at }) => (at as Date).getTime());
  };
  const [renewed, kept] = await leases();
  await clock.armed(3 * S);
  clock.advance(3 * S);
  await expect.poll(async () => (await leases())[0]! > renewed!).toBe(true);
  expect((await leases())[1]).toBe(kept);
  clock.advance(10 * S);
  await wake();
  await sink.until(1);
  clock.advance(DEADLINE);
});

describe('an endpoint that is gone (410)', () => {
  it('an endpoint that is gone (410) is disabled at once and says so; enabled again it gets its waiting deliveries', async () => {
    const gone = held<void>();
    sink.answer = (_, response) => void gone.promise.then(() => response.writeHead(410).end());
    const waits = [await test(), await test()];
    gone.resolve();
    expect(await attempted(waits[0].id, 1)).toMatchObject({ status: 'failed' });
    const disabledAt = new Date(clock.now()).toISOString();
    expect(await show()).toMatchObject({ enabled: false, disabled_reason: 'gone', disabled_at: disabledAt });
    expect(await ask(`/deliveries/${waits[1].id}`)).toMatchObject({ status: 'pending', next_attempt_at: null });
    sink.answer = (_, response) => response.writeHead(204).end();
    clock.advance(DAY);
    const enabled = await ask(`/${endpoint.id}`, { enabled: true }, 'PATCH');
    expect(enabled).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null });
    expect(await attempted(waits[1].id, 1)).toMatchObject({ status: 'succeeded' });
    expect(sink.received).toHaveLength(2);
  });
});

it('an endpoint that is enabled keeps its failures and its pause when a change says so again', async () => {
  sink.answer = (_, response) => response.writeHead(503, { 'retry-after': '3600' }).end();
  await attempted((await test()).id, 1);
  const state = async () => {
    const sql = 'SELECT failing_since, paused_until FROM webhook_endpoints WHERE id = $1';
    return (await onDatabase(service.env.databaseUrl, sql, [endpoint.id]))[0];
  };
  const before = await state();
  expect(before).toEqual({ failing_since: expect.any(Date), paused_until: expect.any(Date) });
  expect(await ask(`/${endpoint.id}`, { enabled: true }, 'PATCH')).toMatchObject({ enabled: true });
  expect(await state()).toEqual(before);
});

describe('Retry-After', () => {
  it.each([
    ['seconds', () => '7200', 2 * H],
    ['a date', () => new Date(clock.now() + 3 * H).toUTCString(), 3 * H],
    ['more than a day, which is cut', () => '9999999', DAY],
    ['nonsense, which is passed over', () => 'soon', 5 * S],
    ['less than the schedule, which holds all the same', () => '1', 5 * S],
  ])('Retry-After is obeyed as %s', async (_, header, expected) => {
    sink.answer = (_received, response) => response.writeHead(429, { 'retry-after': header() }).end();
    const { next_attempt_at } = await attempted((await test()).id, 1);
    const waits = Date.parse(next_attempt_at) - clock.now();
    expect(waits).toBeGreaterThan(expected - S);
    expect(waits).toBeLessThanOrEqual(expected * 1.1);
  });

  it('Retry-After holds for everything that goes to the endpoint', async () => {
    sink.answer = (_, response) => response.writeHead(503, { 'retry-after': '3600' }).end();
    const first = await attempted((await test()).id, 1);
    sink.answer = (_, response) => response.writeHead(204).end();
    const second = await test();
    await wake();
    clock.advance(H - 1);
    await wake();
    clock.advance(1);
    const resumedAt = new Date(clock.now()).toISOString();
    expect((await attempted(second.id, 1)).attempts).toMatchObject([{ at: resumedAt, status: 204 }]);
    moveTo(first.next_attempt_at);
    expect(await attempted(first.id, 2)).toMatchObject({ status: 'succeeded' });
  });
});

describe('five days without a success', () => {
  it('five days without a success disable an endpoint, which shows the reason', async () => {
    sink.answer = (_, response) => response.writeHead(500).end();
    const first = await attempted((await test()).id, 1);
    clock.advance(5 * DAY - 1);
    const second = await attempted(first.id, 2);
    expect(await show()).toMatchObject({ enabled: true });
    moveTo(second.next_attempt_at);
    await attempted(first.id, 3);
    expect(await show()).toMatchObject({ enabled: false, disabled_reason: 'failing' });
    expect(await ask(`/deliveries/${first.id}`)).toMatchObject({ status: 'pending', next_attempt_at: null });
  });
});

describe('deliveries to one endpoint', () => {
  it('deliveries to one endpoint come one after the other, in the order of their events', async () => {
    const open = held<void>();
    let atOnce = 0;
    let most = 0;
    sink.answer = (_, response) => {
      most = Math.max(most, ++atOnce);
      void open.promise.then(() => {
        atOnce -= 1;
        response.writeHead(204).end();
      });
    };
    const wanted: string[] = [];
    for (let i = 0; i < 6; i++) {
      wanted.push((await test()).message_id);
      clock.advance(i % 2);
    }
    await wake();
    await sink.until(1);
    open.resolve();
    await sink.until(6);
    expect(sink.received.map(({ headers }) => headers['webhook-id'])).toEqual(wanted);
    expect(most).toBe(1);
  });
});

describe('endpoints that hang, more than there are permits', () => {
  it('endpoints that hang, more than there are permits hold the others up for one delivery at most: then they have permits of their own', async () => {
    const hanging = 70;
    sink.answer = (received, response) => {
      if (received.path === '/hook') response.writeHead(204).end();
    };
    await ask(`/${endpoint.id}`, { events: ['batch.completed'] }, 'PATCH');
    const account = await ownerOf(endpoint.id);
    const secrets = service.app.get(EndpointSecrets);
    for (let i = 0; i < hanging; i++) {
      const id = randomUUID();
      const values = [id, account, sink.url(`/hang/${i}`), secrets.make(id).sealed, new Date(clock.now())];
      await onDatabase(service.env.databaseUrl, INSERT_HANGING, values);
    }
    const outbox = { accountId: account, simulated: false, type: 'credits.low', batchId: null, url: null } as const;
    await addToOutbox(service.app.get(DataSource).manager, { ...outbox, at: new Date(clock.now()), data: {} });
    for (const count of [64, hanging]) {
      await wake();
      await sink.until(count);
      clock.advance(DEADLINE);
    }
    const slow = "SELECT count(*)::integer AS count FROM webhook_endpoints WHERE account_id = $1 AND lane = 'slow'";
    await expect
      .poll(async () => (await onDatabase(service.env.databaseUrl, slow, [account]))[0]!['count'])
      .toBe(hanging);

    // Tried again, they take all permits that there are for such as they.
    clock.advance(10 * S);
    await wake();
    await sink.until(hanging + 32);
    const { id } = await test();
    expect(await attempted(id, 1)).toMatchObject({ status: 'succeeded' });
    await onDatabase(service.env.databaseUrl, 'DELETE FROM webhook_endpoints WHERE account_id = $1', [account]);
    clock.advance(DEADLINE);
  });
});

describe('the log', () => {
  it('the log is kept for RETENTION_DAYS', async () => {
    const { id } = await attempted((await test()).id, 1);
    const upkeep = service.app.get(WebhookCleanup);
    clock.advance(30 * DAY);
    await upkeep.deleteExpired();
    expect(await ask(`/deliveries/${id}`)).toMatchObject({ status: 'succeeded' });
    clock.advance(1);
    await upkeep.deleteExpired();
    expect(await ask(`/deliveries/${id}`)).toMatchObject({ code: 'delivery_not_found' });
  });
});
