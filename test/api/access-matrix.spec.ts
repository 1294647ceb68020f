import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountAdministrationService } from '../../src/admin/account-administration.service.js';
import { generateToken } from '../../src/keys/access/token.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { ACCESS_ROWS, type AccessRow, type Caller } from '../support/access-rows.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey, TESTER } from '../support/admin.js';
import { onDatabase } from '../support/batches.js';
import { call, register } from '../support/call.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { callTool } from '../support/mcp.js';
import { type Route, pathWith, routesOf } from '../support/routes.js';
import { send } from '../support/send.js';
import { liftRates, startService, type TestService } from '../support/service.js';
import { makeThing, type Mode, type Thing, type ThingName, type World } from '../support/things.js';
import { startWebhookSink, TO_LOOPBACK, type WebhookSink } from '../support/webhook-sink.js';

let service: TestService;
let sink: WebhookSink;
let dns: DnsServer;
let stranger: FullAccount;
let adminKey: string;
let agentKey: string;
let deadKeys: Readonly<Record<'expired' | 'revoked', string>>;

beforeAll(async () => {
  // No domain exists, so that live work ends at once.
  [dns, sink] = await Promise.all([startDnsServer({ zones: {} }), startWebhookSink()]);
  const limits = { registrationsPerHour: 10_000, registrationsPerDay: 10_000 };
  service = await startService({ env: { ...TO_LOOPBACK, ...limits, dnsServers: [dns.address] }, timer: SYSTEM_TIMER });
  // One agent asks at every route, and no key waits for its rate.
  liftRates(service);
  stranger = await newAccount();
  [adminKey, agentKey] = [await createAdminKey(service), await register(service)];
  const [expired, revoked] = [await newAccount(), await newAccount()];
  deadKeys = { expired: expired.liveKey, revoked: revoked.liveKey };
  const { databaseUrl } = service.env;
  await onDatabase(databaseUrl, 'UPDATE api_keys SET expires_at = now() WHERE account_id = $1', [expired.accountId]);
  await onDatabase(databaseUrl, 'UPDATE api_keys SET revoked_at = now() WHERE account_id = $1', [revoked.accountId]);
});

afterAll(async () => {
  await service.close();
  await Promise.all([dns.close(), sink.close()]);
});

const newAccount = () => createFullAccount({ url: service.env.databaseUrl });
const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const routes = () => routesOf(service.app).map((route) => ({ route, row: ACCESS_ROWS[nameOf(route)]! }));

/** The key of a caller, where the things belong to `account`. */
function keyOf(caller: Caller, account: FullAccount): string | undefined {
  const keys: Readonly<Record<Exclude<Caller, 'none'>, string>> = {
    malformed: `${account.liveKey}x`,
    unknown: generateToken('live'),
    ...deadKeys,
    agent: agentKey,
    strangerLive: stranger.liveKey,
    strangerTest: stranger.testKey,
    testOnLive: account.testKey,
    liveOnTest: account.liveKey,
    live: account.liveKey,
    test: account.testKey,
    admin: adminKey,
  };
  return caller === 'none' ? undefined : keys[caller];
}

interface Possessions {
  readonly world: World;
  readonly kept: Readonly<Record<Mode, Thing | undefined>>;
}

const possessions = new Map<ThingName, Promise<Possessions>>();

/** An account with a thing in each mode. All routes about such a thing have the same, which none of them changes; but an account is itself changed. */
function possessionsFor({ thing }: AccessRow): Promise<Possessions> {
  if (thing === undefined || thing === 'account') return possess(thing);
  const known = possessions.get(thing) ?? possess(thing);
  possessions.set(thing, known);
  return known;
}

async function possess(thing: ThingName | undefined): Promise<Possessions> {
  const world: World = { service, sink, account: await newAccount() };
  const make = async (mode: Mode) => thing && makeThing(world, thing, mode);
  return { world, kept: { live: await make('live'), test: await make('test') } };
}

const MODE_OF_THING: Partial<Record<Caller, Mode>> = { liveOnTest: 'test', test: 'test' };

/** The bare status: what it says is held against the documents by other tests. */
async function statusOf({ method, path }: Route, { body }: AccessRow, id: string, key: string | undefined) {
  const { status } = await send(service.url + pathWith(path, id), {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return status;
}

it('the matrix has a row for every route, and no row for a route that is gone', () => {
  expect(
    routes()
      .map(({ route }) => nameOf(route))
      .sort(),
  ).toEqual(Object.keys(ACCESS_ROWS).sort());
  for (const { route, row } of routes()) {
    // Guides belong to nobody.
    const names = route.path.includes(':') && !route.path.startsWith('/docs/');
    const asksAcross = row.expected.testOnLive !== undefined;
    expect([row.thing !== undefined, asksAcross || !names], `the thing in ${route.path}`).toEqual([names, true]);
  }
});

describe.each(Object.entries(ACCESS_ROWS))('%s', (name, row) => {
  it('a route answers every caller as its row says, and a refusal changes nothing', async () => {
    const { route } = routes().find((one) => nameOf(one.route) === name)!;
    const { world, kept } = await possessionsFor(row);
    const { account } = world;
    const make = async (mode: Mode) => row.thing && makeThing(world, row.thing, mode);
    const looks = () => Promise.all([kept.live?.look(), kept.test?.look()]);
    const before = await looks();
    const found: Record<string, number> = {};
    for (const [caller, expected] of Object.entries(row.expected) as [Caller, number][]) {
      const mode = MODE_OF_THING[caller] ?? 'live';
      // Who may change it gets one of their own; to read it changes nothing either.
      const thing = expected < 300 && route.method !== 'GET' ? await make(mode) : kept[mode];
      found[caller] = await statusOf(route, row, thing?.id ?? '', keyOf(caller, account));
    }
    expect(found).toEqual(row.expected);
    if (row.thing !== 'account') expect(await looks()).toEqual(before);
  });
});

describe('modes', () => {
  const marks = { live: `live-${randomUUID()}`, test: `test-${randomUUID()}` };
  let account: FullAccount;
  const batches: Partial<Record<Mode, number>> = {};

  beforeAll(async () => {
    account = await newAccount();
    const world: World = { service, sink, account };
    for (const mode of ['live', 'test'] as const) {
      for (const name of [
        'people',
        'webhook',
        'suppression',
        'key',
        'blacklistCheck',
        'domainCheck',
        'monitor',
        'placementTest',
      ] as const)
        await makeThing(world, name, mode, marks[mode]);
      batches[mode] = Number((await makeThing(world, 'scheduledList', mode, marks[mode])).id);
    }
    await service.app.get(AccountAdministrationService).grant(TESTER, account.accountId, 5, marks.live);
  });

  const listings = () => routes().filter(({ route }) => route.method === 'GET' && !route.path.includes(':'));

  it.each([
    ['live', 'test'],
    ['test', 'live'],
  ] as const)('an object of %s mode is in the listings of its own keys, and in none of %s keys', async (own, other) => {
    for (const { route, row } of listings()) {
      const key = other === 'live' ? account.liveKey : account.testKey;
      const text = await (
        await fetch(service.url + route.path, { headers: { authorization: `Bearer ${key}` } })
      ).text();
      expect(text.includes(marks[other]), `${route.path} shows what is its caller's`).toBe(
        row.lists === true || isLiveLedger(route, other),
      );
      // The account's test keys are managed with its live ones.
      const hasKeys = ['/api/v1/keys', '/api/v1/export'].includes(route.path);
      if (!hasKeys || other === 'test') expect(text, route.path).not.toContain(marks[own]);
    }
  });

  it('modes work in live mode leaves the ledger of test keys empty', async () => {
    const headers = { authorization: `Bearer ${account.testKey}` };
    const reply = await fetch(`${service.url}/api/v1/credits/history`, { headers });
    expect(await reply.json()).toEqual({ entries: [], next_cursor: null });
  });

  it.each([
    ['live', 'test'],
    ['test', 'live'],
  ] as const)('a batch is found by the tools of its %s keys, and not by those of %s keys', async (own, other) => {
    const use = (name: string, given: object, mode: Mode) =>
      callTool(service, name, given, { key: mode === 'live' ? account.liveKey : account.testKey });
    const id = batches[own]!;
    const calls = [
      ['get_batch_status', { batch_id: id }, 'batch_not_found'],
      ['get_list', { list_id: id }, 'list_not_found'],
    ] as const;
    for (const [name, given, refusal] of calls) {
      expect((await use(name, given, own)).isError, name).toBe(false);
      expect((await use(name, given, other)).result.code, name).toBe(refusal);
    }
    const named = async (mode: Mode) => JSON.stringify((await use('list_lists', {}, mode)).result);
    expect(await named(own)).toContain(marks[own]);
    expect(await named(other)).not.toContain(marks[own]);
  });

  it('each mode has its own setting of whether verifications report suppressed addresses', async () => {
    const path = '/api/v1/suppression-settings';
    await call(service, path, { key: account.testKey, method: 'PATCH', body: { report_in_verify: true } });
    expect((await call(service, path, { key: account.liveKey })).body).toEqual({ report_in_verify: false });
    expect((await call(service, path, { key: account.testKey })).body).toEqual({ report_in_verify: true });
  });

  it('modes objects of one mode cannot be made with a key of the other', async () => {
    for (const [key, mode] of [
      [account.liveKey, 'test'],
      [account.testKey, 'live'],
    ] as const) {
      const { status, body } = await call(service, '/api/v1/webhooks', { key, body: { url: sink.url('/x'), mode } });
      expect([status, body.fields?.[0].field]).toEqual([422, 'mode']);
    }
    const { status, body } = await call(service, '/api/v1/keys', { key: account.testKey, body: { kind: 'live' } });
    expect([status, body.code]).toEqual([403, 'live_key_required']);
  });
});

/** The ledger tells of grants, and is the live mode's. */
const isLiveLedger = ({ path }: Route, mode: Mode) => path === '/api/v1/credits/history' && mode === 'live';
