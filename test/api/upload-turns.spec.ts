import { once, setMaxListeners } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DataSource } from 'typeorm';
import { ADDRESSES } from '../../src/batch/model/batch-kind.js';
import { AccessService } from '../../src/keys/access/access.service.js';
import type { UploadPlaces } from '../../src/batch/intake/upload-places.js';
import { UploadsService } from '../../src/batch/intake/uploads.service.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { lockWaiters, whileLocked } from '../support/connections.js';
import { call, type Reply } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';

const PATH = '/api/v1/verify/batch';
/** Places that an account has. */
const LIVE = 4;
const SIMULATED = 2;
const LIST = { emails: ['valid@one.example', 'valid@two.example'] };

let service: TestService;
let places: UploadPlaces;

beforeAll(async () => {
  service = await startService();
  places = Reflect.get(service.app.get(UploadsService, { strict: false }), 'places');
});

afterAll(() => service.close());

const newAccount = () => createFullAccount({ url: service.env.databaseUrl });

/** UploadsService of the account that have a place or wait for one. */
function underWay({ accountId }: FullAccount, mode: 'live' | 'simulated' = 'live'): number {
  const lines = Reflect.get(Reflect.get(Reflect.get(places, mode), 'places'), 'lines');
  return (lines as Map<string, { size: number }>).get(accountId)?.size ?? 0;
}

/** An upload whose second half does not come before the test sends it. */
class HalfSent {
  readonly answered: Promise<[IncomingMessage]>;
  private readonly sent: ClientRequest;
  private readonly body = Buffer.from(JSON.stringify(LIST));

  constructor(key: string) {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': this.body.length,
    };
    this.sent = request(service.url + PATH, { method: 'POST', headers, agent: false });
    this.sent.on('error', () => undefined);
    this.answered = once(this.sent, 'response') as Promise<[IncomingMessage]>;
    this.answered.catch(() => undefined);
    this.sent.write(this.body.subarray(0, 20));
  }

  async finish(): Promise<number> {
    this.sent.end(this.body.subarray(20));
    const [{ statusCode }] = await this.answered;
    return statusCode!;
  }

  hangUp(): void {
    this.sent.destroy();
  }
}

it.each([
  ['a live key', 'liveKey', 'live', LIVE],
  ['a test key', 'testKey', 'simulated', SIMULATED],
] as const)(
  'slow uploads by %s hold places of their own account and mode alone, and who hangs up leaves the line',
  async (_, kind, mode, room) => {
    const [slow, other] = [await newAccount(), await newAccount()];
    const half = Array.from({ length: room }, () => new HalfSent(slow[kind]));
    await expect.poll(() => underWay(slow, mode)).toBe(room);
    let order = '';
    const next = call(service, PATH, { key: slow[kind], body: LIST }).then(({ status }) => {
      order += 'next ';
      return status;
    });
    await expect.poll(() => underWay(slow, mode)).toBe(room + 1);
    const leaving = new HalfSent(slow[kind]);
    await expect.poll(() => underWay(slow, mode)).toBe(room + 2);
    for (const key of [other.liveKey, other.testKey, kind === 'liveKey' ? slow.testKey : slow.liveKey])
      expect((await call(service, PATH, { key, body: LIST })).status).toBe(201);
    leaving.hangUp();
    await expect.poll(() => underWay(slow, mode)).toBe(room + 1);
    expect(order).toBe('');
    expect(await half.pop()!.finish()).toBe(201);
    expect(await next).toBe(201);
    for (const one of half) expect(await one.finish()).toBe(201);
    await expect.poll(() => underWay(slow, mode)).toBe(0);
  },
);

it('an account whose line is long is refused with Retry-After, and no other account is', async () => {
  const [many, other] = [await newAccount(), await newAccount()];
  const { accountId } = many;
  const gone = new AbortController();
  setMaxListeners(0, gone.signal);
  const begun = await Promise.all(
    Array.from({ length: LIVE }, () => places.enter({ accountId, simulated: false }, gone.signal)),
  );
  const waiting = Array.from({ length: 200 }, () => places.enter({ accountId, simulated: false }, gone.signal));
  const refused = await call(service, PATH, { key: many.liveKey, body: LIST });
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
  expect((await call(service, PATH, { key: other.liveKey, body: LIST })).status).toBe(201);
  gone.abort(new Error('the callers have gone'));
  await Promise.allSettled(waiting);
  for (const place of begun) place.leave();
  expect((await call(service, PATH, { key: many.liveKey, body: LIST })).status).toBe(201);
});

it('a refused upload gives its place back', async () => {
  const account = await newAccount();
  const refusals = [{ emails: [] }, { emails: [7] }, { emails: ['a@b.example'], max_credits: 0 }, 'no list'];
  for (const body of [...refusals, ...refusals])
    expect((await call(service, PATH, { key: account.liveKey, body })).status).toBeGreaterThanOrEqual(400);
  expect(underWay(account)).toBe(0);
});

it('an upload that is refused while its first rows wait to be written leaves nothing behind', async () => {
  const { accountId, liveKey } = await newAccount();
  const uploads = service.app.get(UploadsService, { strict: false });
  const { manager } = service.app.get(DataSource);
  const owner = await service.app.get(AccessService, { strict: false }).authenticate(`Bearer ${liveKey}`, '127.0.0.1');
  const [other, refused] = [await uploads.begin(owner, ADDRESSES), await uploads.begin(owner, ADDRESSES)];
  let written = (): void => {};
  const writing = other.place.write(() => new Promise<void>((resolve) => (written = resolve)));
  const piece = Array.from({ length: 100_000 }, (_, i) => ({
    item: `person${i}@d${i}.example.com`,
    extraColumns: null,
  }));
  await refused.add(manager, piece);
  const forgotten = refused.forget(manager);
  written();
  await Promise.all([writing, forgotten]);
  for (const upload of [other, refused]) upload.place.leave();
  // Whatever waited to be written is written by then.
  await (await uploads.begin(owner, ADDRESSES)).place.write(() => Promise.resolve());
  const left = await onDatabase(service.env.databaseUrl, 'SELECT id FROM batches WHERE account_id = $1', [accountId]);
  expect(left).toEqual([]);
});

it('uploads that wait for PostgreSQL hold one connection an account and three in all', async () => {
  const accounts = await Promise.all(Array.from({ length: 5 }, newAccount));
  const reader = await newAccount();
  const waiting = () => lockWaiters(service.env.databaseUrl);
  const upload = ({ liveKey: key }: FullAccount, n: number) =>
    call(service, PATH, { key, body: LIST, headers: { 'idempotency-key': `upload-${n}` } });
  const uploads: Promise<Reply>[] = [];
  await whileLocked(service.env.databaseUrl, 'batches', async () => {
    uploads.push(upload(accounts[0]!, 1), upload(accounts[0]!, 2), upload(accounts[0]!, 3));
    await expect.poll(() => underWay(accounts[0]!)).toBe(3);
    await expect.poll(waiting).toBe(1);
    expect((await call(service, '/api/v1/credits', { key: reader.liveKey })).status).toBe(200);
    expect(await waiting()).toBe(1);
    uploads.push(...accounts.slice(1).map(upload));
    for (const account of accounts.slice(1)) await expect.poll(() => underWay(account)).toBe(1);
    await expect.poll(waiting).toBe(3);
    expect((await call(service, '/api/v1/credits', { key: reader.liveKey })).status).toBe(200);
    expect(await waiting()).toBe(3);
  });
  for (const { status } of await Promise.all(uploads)) expect(status).toBe(201);
});
