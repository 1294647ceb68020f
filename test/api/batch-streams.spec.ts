import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { BatchFeedsService } from '../../src/batch/batch-streams.service.js';
import { BatchStore } from '../../src/batch/model/batch.store.js';
import { Drain } from '../../src/platform/health/drain.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase, queueBatch } from '../support/batches.js';
import { call, register } from '../support/call.js';
import { ManualClock } from '../support/manual-clock.js';
import { startService, type TestService } from '../support/service.js';

const EMAILS = ['a@example.com', 'b@example.com', 'c@example.com'];
const SECOND = 1_000;

let service: TestService;
let account: FullAccount;
const clock = new ManualClock();
let path: string;
let id: number;
let open: Reader[] = [];

/** A process of the role api alone: what works on the batch is somewhere else. */
beforeAll(async () => {
  const beats = (ms: number, callback: () => void) => (ms === 15 * SECOND ? clock.after(ms, callback) : () => {});
  service = await startService({ env: { role: 'api' }, timer: { after: beats } });
  // Of all that the service does each second, its looks at batches alone go by the clock.
  Object.assign(service.app.get(BatchFeedsService), { timer: clock });
});

afterAll(() => service.close());

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl });
  id = await queueBatch(service.env.databaseUrl, { accountId: account.accountId, emails: EMAILS });
  path = `/api/v1/verify/batch/${id}`;
});

afterEach(async () => {
  for (const reader of open) reader.leave();
  open = [];
  await nobodyFollows();
});

/** Resolves when no batch is looked at any more. */
const nobodyFollows = async () => {
  await expect
    .poll(
      async () => {
        const finds = vi.spyOn(service.app.get(BatchStore), 'find');
        for (const _ of [1, 2]) {
          clock.advance(SECOND);
          await onDatabase(service.env.databaseUrl, 'SELECT 1');
        }
        const looks = finds.mock.calls.length;
        finds.mockRestore();
        return looks;
      },
      { timeout: 240_000, interval: 5 },
    )
    .toBe(0);
};

class Reader {
  text = '';
  ended = false;
  private constructor(readonly reply: IncomingMessage) {
    reply.setEncoding('utf8').on('data', (piece: string) => (this.text += piece));
    reply.on('end', () => (this.ended = true)).on('error', () => undefined);
  }

  static async of({ key = account.liveKey, lastEventId = '', headers = {} } = {}): Promise<Reader> {
    const request = get(`${service.url}${path}/events`, {
      agent: false,
      headers: {
        ...(Object.keys(headers).length > 0 ? headers : { authorization: `Bearer ${key}` }),
        ...(lastEventId && { 'last-event-id': lastEventId }),
      },
    });
    const [reply] = (await once(request, 'response')) as [IncomingMessage];
    const reader = new Reader(reply);
    open.push(reader);
    return reader;
  }

  get events(): { id: string; type: string; data: { status?: string; processed?: number; data?: object } }[] {
    return [...this.text.matchAll(/id: (.*)\nevent: (.*)\ndata: (.*)\n\n/g)].map(([, eventId, type, data]) => ({
      id: eventId!,
      type: type!,
      data: JSON.parse(data!) as object,
    }));
  }

  async until(look: (reader: Reader) => boolean): Promise<void> {
    await vi.waitUntil(() => look(this), { timeout: 240_000, interval: 5 });
  }

  leave(): void {
    this.reply.destroy();
  }
}

/** What a worker elsewhere commits. */
const set = (assignments: string) =>
  onDatabase(service.env.databaseUrl, `UPDATE batches SET ${assignments} WHERE id = $1`, [id]);

/** Lets the feeds of the process look once. */
async function look(): Promise<void> {
  const finds = vi.spyOn(service.app.get(BatchStore), 'find');
  await clock.armed(SECOND);
  clock.advance(SECOND);
  await expect.poll(() => finds.mock.settledResults.length, { interval: 5 }).toBeGreaterThan(0);
  finds.mockRestore();
  await clock.armed(SECOND);
}

it('a stream tells the status at once, what is new once a second, and the end', async () => {
  const reader = await Reader.of();
  expect(reader.reply.statusCode).toBe(200);
  expect(reader.reply.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  await reader.until(({ events }) => events.length === 1);
  const { body } = await call(service, path, { key: account.liveKey });
  expect(reader.events[0]).toEqual({ id: '0-queued', type: 'progress', data: body });
  await look();
  await set(`state = 'processing', valid = 1`);
  await look();
  await reader.until(({ events }) => events.length === 2);
  expect(reader.events[1]).toMatchObject({ id: '1-processing', type: 'progress', data: { processed: 1 } });
  await set(`state = 'completed', finished_at = now(), valid = 3, open_chunks = 0`);
  clock.advance(SECOND);
  await reader.until(({ ended }) => ended);
  expect(reader.events.slice(2)).toMatchObject([
    { id: '3-completed', type: 'completed', data: { status: 'completed' } },
  ]);
});

it.each(['failed', 'cancelled'])('a stream of a batch that has ended says %s and ends', async (state) => {
  await set(`state = '${state}', finished_at = now()`);
  const reader = await Reader.of();
  await reader.until(({ ended }) => ended);
  expect(reader.events).toMatchObject([{ id: `0-${state}`, type: state, data: { status: state } }]);
});

it('a stream of a batch that is deleted meanwhile says so and ends', async () => {
  const reader = await Reader.of();
  await onDatabase(service.env.databaseUrl, 'DELETE FROM batches WHERE id = $1', [id]);
  await clock.armed(SECOND);
  clock.advance(SECOND);
  await reader.until(({ ended }) => ended);
  expect(reader.events[1]).toEqual({ id: 'deleted', type: 'deleted', data: { id, deleted: true } });
});

it('a reader who comes back is not told again what he knows, and nothing once he knows the end', async () => {
  const known = await Reader.of({ lastEventId: '0-queued' });
  const other = await Reader.of({ lastEventId: '7-processing' });
  await other.until(({ events }) => events.length === 1);
  await set(`state = 'processing', valid = 2`);
  await look();
  await known.until(({ events }) => events.length === 1);
  expect(known.events[0]!.id).toBe('2-processing');
  await set(`state = 'completed', finished_at = now(), valid = 3`);
  expect((await Reader.of({ lastEventId: '3-completed' })).reply.statusCode).toBe(204);
});

it('a batch is looked at once a second, however many follow it', async () => {
  const readers = [await Reader.of(), await Reader.of(), await Reader.of({ lastEventId: 'x' })];
  await clock.armed(SECOND);
  const finds = vi.spyOn(service.app.get(BatchStore), 'find');
  await set('valid = 1');
  clock.advance(SECOND);
  for (const reader of readers) await reader.until(({ events }) => events.at(-1)!.id === '1-queued');
  expect(finds).toHaveBeenCalledTimes(1);
  for (const reader of readers) reader.leave();
  await nobodyFollows();
  finds.mockRestore();
});

it('an account has twenty streams at once, and another one when it closes one', async () => {
  const readers = await Promise.all(Array.from({ length: 20 }, () => Reader.of()));
  const refused = await call(service, `${path}/events`, { key: account.liveKey });
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
    429,
    'too_many_streams',
    '15',
  ]);
  readers[0]!.leave();
  await expect.poll(async () => (await Reader.of()).reply.statusCode, { interval: 5 }).toBe(200);
});

it('a stream belongs to its account and mode, and an agent gets its own shape and other requests beside it', async () => {
  const stranger = await createFullAccount({ url: service.env.databaseUrl });
  for (const key of [stranger.liveKey, account.testKey])
    expect((await call(service, `${path}/events`, { key })).body.code).toBe('batch_not_found');
  const key = await register(service);
  const sent = await call(service, '/api/v1/verify/batch', { key, body: { emails: EMAILS } });
  path = `/api/v1/verify/batch/${sent.body.data.id}`;
  const reader = await Reader.of({ key });
  await reader.until(({ events }) => events.length === 1);
  expect(reader.events[0]!.data).toMatchObject({ success: true, data: { status: 'queued' } });
  expect((await call(service, path, { key })).status).toBe(200);
});

it('a reader who does not read is cut, and holds nothing', async () => {
  const arrived = once(service.app.getHttpServer(), 'request') as Promise<[unknown, ServerResponse]>;
  const reader = await Reader.of();
  const [, written] = await arrived;
  reader.reply.pause();
  vi.spyOn(written, 'writableNeedDrain', 'get').mockReturnValue(true);
  await set('valid = 1');
  await clock.armed(SECOND);
  clock.advance(SECOND);
  await expect.poll(() => written.destroyed, { interval: 5 }).toBe(true);
  await nobodyFollows();
});

it('a heartbeat comes each fifteen seconds, and none to a key that was revoked', async () => {
  const kept = await Reader.of();
  const { body: key } = await call(service, '/api/v1/keys', {
    key: account.liveKey,
    body: { kind: 'live', name: 'x' },
  });
  const revoked = await Reader.of({ key: key.api_key });
  await revoked.until(({ events }) => events.length === 1);
  await call(service, `/api/v1/keys/${key.id}`, { key: account.liveKey, method: 'DELETE' });
  await clock.armed(15 * SECOND);
  clock.advance(15 * SECOND);
  await kept.until(({ text }) => text.includes(': heartbeat\n\n'));
  await revoked.until(({ ended }) => ended);
  expect(revoked.text).not.toContain('heartbeat');
});

it('a browser follows by the cookie of its session, and no longer than the session', async () => {
  const page = { 'sec-fetch-site': 'same-origin' };
  const signedIn = await call(service, '/console/session', { headers: page, body: { api_key: account.liveKey } });
  const headers = { ...page, cookie: signedIn.headers.get('set-cookie')!.split(';')[0]! };
  const reader = await Reader.of({ headers });
  await reader.until(({ events }) => events.length === 1);
  await clock.armed(15 * SECOND);
  clock.advance(15 * SECOND);
  await reader.until(({ text }) => text.includes(': heartbeat\n\n'));
  await call(service, '/console/session', { method: 'DELETE', headers });
  await clock.armed(15 * SECOND);
  clock.advance(15 * SECOND);
  await reader.until(({ ended }) => ended);
});

it('a process that stops ends its streams in good order', async () => {
  const readers = [await Reader.of(), await Reader.of()];
  const drained = service.app.get(Drain).start(10 * SECOND);
  for (const reader of readers) await reader.until(({ ended }) => ended);
  expect(await drained).toBe(0);
});
