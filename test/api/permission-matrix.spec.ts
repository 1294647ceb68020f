import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KeyAdministrationService } from '../../src/admin/key-administration.service.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { KEY_POLICIES, type KeyPolicies } from '../../src/platform/config/policies.js';
import { needsOf } from '../../src/keys/access/audience.js';
import {
  ADMIN_PERMISSIONS,
  adminScope,
  AGENT_PERMISSIONS,
  PERMISSIONS,
  UNLIMITED,
} from '../../src/keys/scope/key-scope.js';
import type { Tool } from '../../src/mcp/tools/tool.js';
import { MCP_TOOLS } from '../../src/mcp/tools/tool-list.js';
import { ACCESS_ROWS } from '../support/access-rows.js';
import { createFullAccount } from '../support/accounts.js';
import { TESTER } from '../support/admin.js';
import { register } from '../support/call.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { pathWith, type Route, routesOf } from '../support/routes.js';
import { makeScopedKey } from '../support/scoped-keys.js';
import { liftRates, startService, type TestService } from '../support/service.js';
import { makeThing, type Thing, type ThingName, type World } from '../support/things.js';
import { startWebhookSink, TO_LOOPBACK, type WebhookSink } from '../support/webhook-sink.js';

/*
 * Each permission alone at each route. A table of docs/authentication.md says a second time, and the other way round, what the routes say:
 * by permission. Whoever opens a route to another permission has to say so there too.
 */

/** The routes that need these permissions, and no other, as the document's table has them. A `*` is the rest of a path, and a method `*` each one. */
const NEEDING = neededByDocument();

/** What an agent's key reaches: it has an account of its own, which manages nothing. */
const FOR_AGENTS = [
  '* /api/v1/verify',
  '* /api/v1/verify/batch*',
  'POST /api/v1/estimate',
  'GET /api/v1/credits',
  '* /console/session',
];

/** Where a right key is refused for what its body asks: keys of other permissions, events that show results, and live keys of customers. */
const FURTHER: Readonly<Record<string, string>> = {
  'POST /api/v1/keys': 'verify',
  'POST /api/v1/webhooks': 'results',
  'POST /admin/v1/accounts/:id/keys': 'impersonate',
};

interface Holder {
  readonly key: string;
  /** Null: all, those of later versions too. */
  readonly held: readonly string[] | null;
}

let service: TestService;
let sink: WebhookSink;
let dns: DnsServer;
let world: World;
let agent: string;
const accountHolders: Record<string, Holder> = {};
const adminHolders: Record<string, Holder> = {};
const things = new Map<ThingName, Thing>();

beforeAll(async () => {
  [dns, sink] = await Promise.all([startDnsServer({ zones: {} }), startWebhookSink()]);
  service = await startService({ env: { ...TO_LOOPBACK, dnsServers: [dns.address] }, timer: SYSTEM_TIMER });
  liftRates(service);
  for (const policy of Object.values(service.app.get<KeyPolicies>(KEY_POLICIES)))
    Object.assign(policy, { requestsInFlight: 1000 });
  const account = await createFullAccount({ url: service.env.databaseUrl });
  world = { service, sink, account };
  agent = await register(service);
  const lists = [...PERMISSIONS.map((one) => [one]), [...PERMISSIONS], null];
  for (const permissions of lists) {
    const body = { kind: 'test', ...(permissions && { permissions }) };
    accountHolders[nameOfHeld(permissions)] = {
      key: await makeScopedKey(service, account.testKey, body),
      held: permissions,
    };
  }
  for (const [place, one] of ADMIN_PERMISSIONS.entries()) {
    const scope = one === 'all' ? UNLIMITED : adminScope({ permissions: [one] });
    const request = { kind: 'admin', accountId: null, name: one, expiresAt: null, scope } as const;
    const { token } = await service.app.get(KeyAdministrationService).create(TESTER, request);
    adminHolders[one] = { key: token, held: ADMIN_PERMISSIONS.slice(0, place + 1) };
  }
  const names = new Set(guarded().flatMap((route) => ACCESS_ROWS[nameOf(route)]?.thing ?? []));
  await Promise.all([...names].map(async (name) => things.set(name, await makeThing(world, name, 'test'))));
});

afterAll(async () => {
  await service.close();
  await Promise.all([dns.close(), sink.close()]);
});

const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>) => `${method} ${path}`;
const nameOfHeld = (held: readonly string[] | null) => (held === null ? 'null' : held.join(' '));
const guarded = () => routesOf(service.app).filter(({ audience }) => audience !== null);
const ofAccounts = () => guarded().filter(({ path }) => !path.startsWith('/admin/'));
const ofAdministrators = () => guarded().filter(({ path }) => path.startsWith('/admin/'));

const neededBy = ({ controller, handler }: Route) => [
  ...needsOf((controller.prototype as Record<string, object>)[handler]!),
];

const fits = (pattern: string, name: string) =>
  new RegExp(`^${pattern.replace(/[/.]/g, '\\$&').replaceAll('*', '.*')}$`).test(name);

/** What the tables say that a route needs: of several sets each one that names it. */
function setsOf(name: string): string[][] {
  return Object.entries(NEEDING)
    .filter(([, patterns]) => patterns.some((pattern) => fits(pattern, name)))
    .map(([set]) => set.split(' ').filter(Boolean));
}

interface Told {
  readonly status: number;
  readonly code?: string;
  readonly permission?: string;
}

/** Asks for the thing itself, or for one that was never made. */
async function ask({ method, path }: Route, key: string, isReal: boolean): Promise<Told> {
  const { thing, body } = ACCESS_ROWS[`${method} ${path}`]!;
  const given = body && { ...body, ...onlyOnce(body) };
  const isNumbered = thing === 'batch' || thing === 'people' || thing === 'scheduledList';
  const madeUp = isNumbered ? '999999999' : randomUUID();
  const id = isReal ? (things.get(thing!)?.id ?? '') : madeUp;
  const { statusCode, payload } = await service.app.inject({
    method: method as 'GET',
    url: pathWith(path, id),
    headers: { authorization: `Bearer ${key}`, ...(given && { 'content-type': 'application/json' }) },
    ...(given && { payload: JSON.stringify(given) }),
  });
  if (statusCode < 400) return { status: statusCode };
  const { code, permission } = JSON.parse(payload) as Omit<Told, 'status'>;
  return { status: statusCode, ...(code && { code }), ...(permission && { permission }) };
}

/** An account has an endpoint for a URL and a monitor of a target once. */
const onlyOnce = ({ url, target }: Readonly<Record<string, unknown>>) => ({
  ...(url !== undefined && { url: `https://127.0.0.1:9/${randomUUID()}` }),
  ...(target !== undefined && { target: `${randomUUID()}.example.com` }),
});

const looks = () => Promise.all([...things.values()].map((thing) => thing.look()));

type Holders = Readonly<Record<string, Holder>>;

/** Every route with every holder, and what this one lacks. */
const cellsOf = (routes: readonly Route[], holders: Holders) =>
  routes.flatMap((route) =>
    Object.entries(holders).map(([holder, { key, held }]) => {
      const name = nameOf(route);
      const lacks = (one: string) => held !== null && !held.includes(one);
      return { route, name, key, lacks, cell: `${name} with ${holder}`, missing: setsOf(name)[0]!.filter(lacks) };
    }),
  );

/** Asks for things that are there. */
async function checkRefusals(routes: readonly Route[], holders: Holders): Promise<void> {
  const before = await looks();
  const refused = cellsOf(routes, holders).filter(({ missing }) => missing.length > 0);
  expect(refused.length).toBeGreaterThan(0);
  for (const { route, key, cell, missing } of refused) {
    const { status, code, permission } = await ask(route, key, true);
    expect([cell, status, code]).toEqual([cell, 403, 'permission_missing']);
    expect(missing, cell).toContain(permission);
  }
  expect(await looks()).toEqual(before);
}

/** Reads things that are there, and changes others that are not. */
async function checkReach(routes: readonly Route[], holders: Holders, caller: 'test' | 'admin'): Promise<void> {
  const allowed = cellsOf(routes, holders).filter(({ missing }) => missing.length === 0);
  for (const { route, name, key, cell, lacks } of allowed) {
    const isRead = route.method === 'GET';
    const { status, code, permission } = await ask(route, key, isRead);
    const further = FURTHER[name];
    const { thing, expected } = ACCESS_ROWS[name]!;
    if (further !== undefined && lacks(further)) expect([cell, status, permission]).toEqual([cell, 403, further]);
    else if (isRead || (thing === undefined && caller === 'test'))
      expect([cell, status]).toEqual([cell, expected[caller]]);
    else expect([cell, status < 500, code === 'permission_missing']).toEqual([cell, true, false]);
  }
}

describe('the routes that take a key', () => {
  it('the routes that take a key are those that the router knows, and each stands in one place of the tables', () => {
    const declared = routesOf(service.app).map(nameOf);
    const known = routedBy(service.app.getHttpAdapter().getInstance().printRoutes({ commonPrefix: false }));
    const ofInterfaces = known.filter((name) => / \/(?:api|admin)\/v1/.test(name));
    expect(ofInterfaces.toSorted()).toEqual(declared.filter((name) => / \/(?:api|admin)\/v1/.test(name)).toSorted());
    const places = guarded().map((route) => [nameOf(route), setsOf(nameOf(route)).length]);
    expect(places.filter(([, count]) => count !== 1)).toEqual([]);
    for (const route of guarded())
      expect([nameOf(route), setsOf(nameOf(route))[0]!.sort()]).toEqual([nameOf(route), neededBy(route).sort()]);
    const patterns = [...Object.values(NEEDING).flat(), ...FOR_AGENTS];
    expect(patterns.filter((pattern) => !guarded().some((route) => fits(pattern, nameOf(route))))).toEqual([]);
  });
});

describe('a key of an account', () => {
  it('a key of an account with one permission is refused at every route that needs another one, which changes nothing', () =>
    checkRefusals(ofAccounts(), accountHolders));

  it('a key of an account with one permission, with each of them and with no list reaches the routes that need what it has', () =>
    checkReach(ofAccounts(), accountHolders, 'test'));

  it('a key of an account is refused at every route of administrators, whatever permissions it has', async () => {
    for (const route of ofAdministrators())
      for (const [holder, { key }] of Object.entries(accountHolders))
        expect([nameOf(route), holder, await ask(route, key, true)]).toEqual([
          nameOf(route),
          holder,
          { status: 403, code: 'admin_required' },
        ]);
  });
});

describe('the key of an agent', () => {
  it('the key of an agent has the permissions that its routes and tools need, and no other', () => {
    const ofRoutes = ofAccounts().filter((route) => FOR_AGENTS.some((pattern) => fits(pattern, nameOf(route))));
    const tools = service.app.get<readonly Tool[]>(MCP_TOOLS, { strict: false });
    const needed = [...ofRoutes.flatMap(neededBy), ...tools.flatMap(({ needs }) => needs)];
    expect([...new Set(needed)].sort()).toEqual([...AGENT_PERMISSIONS].sort());
  });

  it('the key of an agent reaches its own routes, and is refused as no full account at every other one', async () => {
    for (const route of ofAccounts()) {
      const { status, code } = await ask(route, agent, true);
      const isItsOwn = FOR_AGENTS.some((pattern) => fits(pattern, nameOf(route)));
      expect([nameOf(route), status < 500, code === 'full_account_required']).toEqual([nameOf(route), true, !isItsOwn]);
    }
  });
});

describe('the key of an administrator', () => {
  it('the key of an administrator is refused at every route that needs a higher permission, which changes nothing', () =>
    checkRefusals(ofAdministrators(), adminHolders));

  it('the key of an administrator reaches the routes of its permission and of those that this includes', () =>
    checkReach(ofAdministrators(), adminHolders, 'admin'));

  it('the key of an administrator is refused at every route of accounts, whatever permissions it has', async () => {
    const routes = ofAccounts().filter(({ audience }) => audience !== 'any');
    for (const route of routes)
      for (const [holder, { key }] of Object.entries(adminHolders))
        expect([nameOf(route), holder, await ask(route, key, true)]).toEqual([
          nameOf(route),
          holder,
          { status: 403, code: 'full_account_required' },
        ]);
  });
});

/** The rows of the table under "What each route needs": permissions, and routes as patterns. */
function neededByDocument(): Readonly<Record<string, readonly string[]>> {
  const text = readFileSync(new URL('../../docs/authentication.md', import.meta.url), 'utf8');
  const [, section] = /^### What each route needs$(.*?)^##/ms.exec(text)!;
  const namesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
  const rows = [...section!.matchAll(/^\| (.*) \| (`.*`) \|$/gm)].map(([, needs, routes]) => [
    namesIn(needs!).join(' '),
    namesIn(routes!).map((route) => route.replace(/\{(\w+)\}/g, ':$1')),
  ]);
  return Object.fromEntries(rows) as Record<string, string[]>;
}

/** The routes of the router itself, from the tree that it prints: four characters a level, then a piece of the path and its methods. */
function routedBy(tree: string): string[] {
  const pieces: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent, piece, methods] = /^([│├└─ ]*)(\S*)(?: \((.*)\))?$/.exec(line) ?? [];
    if (piece === undefined || indent === undefined) return [];
    pieces.splice(indent.length / 4 - 1, Infinity, piece);
    const path = `/${pieces.join('')}`.replace(/\/+/g, '/').replace(/(?<=.)\/$/, '');
    const own = methods?.split(', ').filter((method) => method !== 'HEAD') ?? [];
    return own.map((method) => `${method} ${path}`);
  });
}
