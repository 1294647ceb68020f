import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PlacementLoop, PlacementWorkService } from '../../src/deliverability/placement/placement-loop.js';
import { TestMail } from '../../src/deliverability/placement/test-mail.js';
import { SeedMailboxes, type SeedStatus } from '../../src/deliverability/placement/placement-test.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';
import { signedMail } from '../support/sign-mail.js';

let dns: DnsServer;
let service: TestService;
let account: FullAccount;
let aheadMs = 0;

beforeAll(async () => {
  dns = await startDnsServer();
  service = await startService({ env: { dnsServers: [dns.address] }, clock: { now: () => Date.now() + aheadMs } });
  // Tests say themselves when somebody looks.
  await service.app.get(PlacementLoop).onModuleDestroy();
});

afterAll(async () => {
  await service.close();
  await dns.close();
});

beforeEach(async () => {
  aheadMs = 0;
  await onDatabase(service.env.databaseUrl, 'DELETE FROM placement_tests');
  account = await createFullAccount({ url: service.env.databaseUrl });
});

const TESTS = '/api/v1/placement/tests';
const create = async (body: object = {}) => (await call(service, TESTS, { key: account.liveKey, body })).body;
const get = async (id: number) => (await call(service, `${TESTS}/${id}`, { key: account.liveKey })).body;
const credits = async () => (await call(service, '/api/v1/credits', { key: account.liveKey })).body;
const tokenOf = ({ send_to }: { send_to: string[] }) => /^test-([^@]+)@/.exec(send_to[0]!)![1]!;
const next = () => service.app.get(PlacementWorkService).next();
const mail = async () => ({
  raw: await signedMail(),
  receivedAt: new Date(),
  clientAddress: '192.0.2.1',
  clientName: 'x',
  mailFrom: 'news@example.com',
  recipient: 'x',
  tls: null,
});

const seed = (placement: SeedStatus['placement']): SeedStatus => ({
  provider: 'gmail',
  placement,
  tab: null,
  arrivedAfterS: null,
  matchedBy: null,
  authentication: null,
});

function withSeeds(seeds: readonly SeedStatus[], isSettled: boolean): void {
  service.app.get(SeedMailboxes).register({
    isUsable: () => Promise.resolve(true),
    assign: () => Promise.resolve(['seed@gmail.example']),
    addressesOf: () => Promise.resolve(['seed@gmail.example']),
    seen: () => Promise.resolve({ seeds, isSettled }),
  });
}

describe('a look at a placement test', () => {
  it('a look at a placement test settles it once, however many workers look at once', async () => {
    const test = await create({ seeds: 'none' });
    await service.app.get(TestMail).take(tokenOf(test), await mail());
    await Promise.all([next(), next(), next()]);
    expect(await get(test.id)).toMatchObject({ status: 'completed', credits_charged: 1 });
    const [{ charges } = {}] = await onDatabase(
      service.env.databaseUrl,
      `SELECT count(*)::integer AS charges FROM credit_ledger WHERE account_id = $1 AND kind = 'charge'`,
      [account.accountId],
    );
    expect(charges).toBe(1);
    expect(await credits()).toMatchObject({ remaining: 999, reserved: 0 });
  });

  it('a look at a placement test is taken up by another worker when the first one dies', async () => {
    const test = await create({ seeds: 'none' });
    await service.app.get(TestMail).take(tokenOf(test), await mail());
    // A worker that has taken it and is gone.
    await onDatabase(
      service.env.databaseUrl,
      `UPDATE placement_tests SET due_at = now() + interval '2 minutes', attempts = 1 WHERE id = $1`,
      [test.id],
    );
    expect(await next()).toBe('nothing');
    aheadMs = 121_000;
    expect(await next()).not.toBe('nothing');
    expect(await get(test.id)).toMatchObject({ status: 'completed', credits_charged: 1 });
  });

  it('a look at a placement test gives up a message whose report ends every worker, and charges nothing', async () => {
    const test = await create({ seeds: 'none' });
    await service.app.get(TestMail).take(tokenOf(test), await mail());
    await onDatabase(service.env.databaseUrl, 'UPDATE placement_tests SET attempts = 5 WHERE id = $1', [test.id]);
    await next();
    expect(await get(test.id)).toMatchObject({ status: 'completed', report: null, credits_charged: 0 });
    expect(await credits()).toMatchObject({ remaining: 1000, reserved: 0 });
  });

  it('a look at a placement test loses neither a mail nor a test that expires while it comes', async () => {
    const test = await create({ seeds: 'none', expires_minutes: 1 });
    aheadMs = 60_001;
    const [isTaken] = await Promise.all([service.app.get(TestMail).take(tokenOf(test), await mail()), next()]);
    expect(isTaken).toBe(false);
    expect(await get(test.id)).toMatchObject({ status: 'expired', messages: 0 });
    expect(await credits()).toMatchObject({ remaining: 1000, reserved: 0 });
  });
});

describe('a test with seeds', () => {
  it('a test with seeds reserves five credits, shows what is known so far, and charges them when a seed was measured', async () => {
    withSeeds([seed('inbox'), seed('pending')], false);
    const test = await create();
    expect(test).toMatchObject({ credits_reserved: 5, send_to: [expect.any(String), 'seed@gmail.example'] });
    await service.app.get(TestMail).take(tokenOf(test), await mail());
    await next();
    expect(await get(test.id)).toMatchObject({ status: 'receiving', placement: { measured: 1, pending: 1 } });
    aheadMs = 30 * 60_000 + 1_000;
    await next();
    // One that has not had its last look is not said to miss the mail.
    expect(await get(test.id)).toMatchObject({ status: 'receiving', placement: { measured: 1, pending: 1 } });
    withSeeds([seed('inbox'), seed('missing')], true);
    aheadMs += 10_000;
    await next();
    expect(await get(test.id)).toMatchObject({
      status: 'completed',
      placement: { measured: 2, inbox: 1, missing: 1, pending: 0 },
      credits_charged: 5,
    });
    expect(await credits()).toMatchObject({ remaining: 995, reserved: 0 });
  });

  it('a test with seeds gives four credits back when no seed was measured', async () => {
    withSeeds([seed('seed_error'), seed('seed_error')], true);
    const test = await create();
    await service.app.get(TestMail).take(tokenOf(test), await mail());
    await next();
    expect(await get(test.id)).toMatchObject({ status: 'completed', placement: { measured: 0 }, credits_charged: 1 });
    expect(await credits()).toMatchObject({ remaining: 999, reserved: 0 });
  });
});

describe('messages', () => {
  it('messages are forgotten after 7 days, and their tests stay', async () => {
    const test = await create({ seeds: 'none' });
    await service.app.get(TestMail).take(tokenOf(test), await mail());
    await next();
    aheadMs = 7 * 86_400_000 + 60_000;
    await service.app.get(PlacementLoop).forget();
    const rows = await onDatabase(service.env.databaseUrl, 'SELECT 1 FROM placement_messages');
    expect(rows).toEqual([]);
    expect(await get(test.id)).toMatchObject({ status: 'completed' });
  });
});
