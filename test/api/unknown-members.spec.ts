import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCESS_ROWS } from '../support/access-rows.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { call, register } from '../support/call.js';
import { callTool, post, request } from '../support/mcp.js';
import { pathWith, type Route, routesOf } from '../support/routes.js';
import { liftRates, startService, type TestService } from '../support/service.js';

let service: TestService;
let owner: FullAccount;
let adminKey: string;
let agentKey: string;

beforeAll(async () => {
  service = await startService({ env: { registrationsPerHour: 1_000, registrationsPerDay: 1_000 } });
  liftRates(service);
  owner = await createFullAccount({ url: service.env.databaseUrl });
  adminKey = await createAdminKey(service);
  agentKey = await register(service);
});

afterAll(() => service.close());

interface Fault {
  readonly field: string;
  readonly error: string;
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
/** Those that take a key and may have a body; two take what has no members, a message and a table. */
const routes = () =>
  routesOf(service.app).filter(
    ({ method, path, audience }) =>
      audience !== null && method !== 'GET' && !/\/(placement\/analyze|verify\/preview)$/.test(path),
  );
const takesAgents = ({ audience }: Route) => audience === 'account' || audience === 'any';
const keyFor = ({ audience }: Route) => (audience === 'admin' ? adminKey : owner.liveKey);

/** Not by `call`: as with queries, the documents do not tell of refusals by routes that have no use for a body. */
async function send({ method, path }: Route, key: string, members: object) {
  const response = await fetch(service.url + pathWith(path, '1').replace(/:\w+_id/, '1'), {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...ACCESS_ROWS[`${method} ${path}`]!.body, ...members }),
  });
  const text = await response.text();
  const { code, fields = [] } = (text === '' ? {} : JSON.parse(text)) as { code?: string; fields?: Fault[] };
  return { status: response.status, code, fields };
}

const form = (fields: Readonly<Record<string, string>>, key: string, path = '/api/v1/verify/batch') => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', new Blob(['email\nvalid@example.com\n'], { type: 'text/csv' }), 'list.csv');
  return fetch(service.url + path, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body });
};

const fieldsOf = async (response: Response) => ((await response.json()) as { fields?: Fault[] }).fields;

const ask = (path: string, body: unknown, key?: string, method = 'POST') =>
  call(service, path, { method, body, ...(key !== undefined && { key }) });

const remaining = async (key: string) => (await call(service, '/api/v1/credits', { key })).body.remaining as number;

describe('a member of a body that nobody knows', () => {
  it('a member of a body that nobody knows is refused by every route of full accounts and administrators that may have a body', async () => {
    expect(routes().length).toBeGreaterThan(60);
    for (const route of routes()) {
      const { status, code, fields } = await send(route, keyFor(route), { nonsense_member: 1 });
      expect([status, code, fields.map(({ field }) => field)], nameOf(route)).toEqual([
        422,
        'invalid_input',
        ['nonsense_member'],
      ]);
      expect(fields[0]!.error).toMatch(/^is not known(; known are [a-z0-9_, ]+|: nothing is taken here)$/);
    }
  });

  it('a member of a body that nobody knows is refused as well where only an object is sent that the route has no use for', async () => {
    const { status, body } = await ask(
      `/admin/v1/accounts/${owner.accountId}/resume`,
      { reason: 'by mistake' },
      adminKey,
    );
    expect([status, body.fields]).toEqual([422, [{ field: 'reason', error: 'is not known: nothing is taken here' }]]);
  });

  it('a member of a body that nobody knows is refused with the name that was meant, and nothing is done', async () => {
    const before = (await call(service, '/api/v1/keys', { key: owner.liveKey })).body.keys.length;
    for (const [slip, meant] of [
      ['permission', 'permissions'],
      ['permisions', 'permissions'],
      ['Networks', 'networks'],
      ['creditsTotal', 'credits_total'],
    ]) {
      const { status, body } = await ask('/api/v1/keys', { name: 'Shop', [slip!]: ['verify'] }, owner.liveKey);
      expect([status, body.fields], slip).toEqual([
        422,
        [{ field: slip, error: `is not known; did you mean ${meant}?` }],
      ]);
    }
    expect((await call(service, '/api/v1/keys', { key: owner.liveKey })).body.keys).toHaveLength(before);
  });

  it('a member of a body that nobody knows is charged to nobody, and its idempotency key still does the work of the body that was meant', async () => {
    const before = await remaining(owner.liveKey);
    const headers = { 'idempotency-key': 'with-a-slip' };
    const verify = (body: object) => call(service, '/api/v1/verify', { key: owner.liveKey, body, headers });
    const slip = await verify({ email: 'jane@nowhere.invalid', max_credit: 0 });
    expect([slip.status, slip.body.fields[0].field]).toEqual([422, 'max_credit']);
    expect(await remaining(owner.liveKey)).toBe(before);
    expect((await verify({ email: 'jane@nowhere.invalid' })).status).toBe(200);
  });

  it('a member of a body that nobody knows is looked for after the key, its permission and the query, and before what else is wrong with the body', async () => {
    const body = { email: 7, nonsense_member: 1 };
    expect((await ask('/api/v1/verify', body, `ms_live_${'a'.repeat(38)}`)).status).toBe(401);
    const { body: key } = await ask('/api/v1/keys', { permissions: ['credits'] }, owner.liveKey);
    expect((await ask('/api/v1/verify', body, key.api_key)).body.code).toBe('permission_missing');
    expect((await ask('/api/v1/verify?colour=red', body, owner.liveKey)).body.fields[0].field).toBe('colour');
    expect((await ask('/api/v1/verify', body, owner.liveKey)).body.fields[0].field).toBe('nonsense_member');
  });

  it('a member of a body that nobody knows is refused at every depth', async () => {
    const people = [
      { full_name: 'Jane Doe', domain: 'example.com' },
      { full_name: 'John Doe', domain: 'example.com', domian: 'example.org' },
    ];
    const { status, body } = await ask('/api/v1/finder/batch', { people, naem: 'Shop' }, owner.testKey);
    expect([status, body.fields]).toEqual([
      422,
      [
        { field: 'people[1].domian', error: 'is not known; did you mean domain?' },
        { field: 'naem', error: 'is not known; did you mean name?' },
      ],
    ]);
  });

  it('a member of a body that nobody knows is refused in forms of full accounts', async () => {
    const slip = await form({ max_credit: '0' }, owner.testKey);
    expect([slip.status, await fieldsOf(slip)]).toEqual([
      422,
      [{ field: 'max_credit', error: 'is not known; did you mean max_credits?' }],
    ]);
    const good = await form({ max_credits: '5', name: 'Shop', email_column: '1', delimiter: 'comma' }, owner.testKey);
    expect(good.status).toBe(201);
  });

  it('a member of a body that nobody knows is refused of a session of the console too', async () => {
    const headers = { 'sec-fetch-site': 'same-origin' };
    const opened = await call(service, '/console/session', {
      body: { api_key: owner.liveKey, theme: 'dark' },
      headers,
    });
    const cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
    const body = { name: 'Shop', permission: ['verify'] };
    const { status, body: reply } = await call(service, '/api/v1/keys', { headers: { ...headers, cookie }, body });
    expect([status, reply.fields[0].field]).toEqual([422, 'permission']);
  });

  it('a member of a body that nobody knows is named in short, without control characters, and at most a hundred times', async () => {
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`m${i}`, 1]));
    expect((await ask('/api/v1/keys', many, owner.liveKey)).body.fields).toHaveLength(100);
    const { body } = await ask('/api/v1/keys', { [`a\u0000\u001b[2J\u202e${'b'.repeat(500)}`]: 1 }, owner.liveKey);
    expect(body.fields[0].field).toBe(`a\ufffd\ufffd[2J\ufffd${'b'.repeat(100 - 7)}`);
  });

  it('a member of a body that nobody knows costs little beside a hundred thousand others in a list', async () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`max_credit${i}`, 1]));
    const body = { ...many, emails: ['valid@example.com'] };
    expect((await ask('/api/v1/verify/batch', body, owner.testKey)).body.fields).toHaveLength(1);
    expect((await ask('/api/v1/verify/batch', body, agentKey)).status).toBe(422);
  });
});

describe('agents and callers without a key', () => {
  it('agents and callers without a key may send members that nobody knows to every route that takes them', async () => {
    const open = routes().filter(takesAgents);
    expect(open.length).toBeGreaterThan(4);
    for (const route of open) {
      const { fields } = await send(route, agentKey, { nonsense_member: 1 });
      expect(
        fields.map(({ field }) => field),
        nameOf(route),
      ).not.toContain('nonsense_member');
    }
    const verified = await ask('/api/v1/verify', { email: 'jane@nowhere.invalid', source: 'crm' }, agentKey);
    const batch = await ask('/api/v1/verify/batch', { emails: ['jane@nowhere.invalid'], source: 'crm' }, agentKey);
    const registered = await ask('/agent-gateway/register', { name: 'Scout', model: 'any', email: 'a@example.com' });
    const tried = await ask('/try', { email: 'valid@example.com', source: 'page' });
    expect([verified, batch, registered, tried].map(({ status }) => status)).toEqual([200, 201, 201, 200]);
    expect((await form({ source: 'crm' }, agentKey)).status).toBe(201);
  });

  it.each([
    ['/api/v1/verify', { emial: 'jane@nowhere.invalid' }, 'emial', 'email'],
    ['/api/v1/verify', { email: 'jane@nowhere.invalid', max_credit: 0 }, 'max_credit', 'max_credits'],
    ['/api/v1/verify/batch', { email: ['jane@nowhere.invalid'] }, 'email', 'emails'],
    [
      '/api/v1/verify/batch',
      { emails: ['jane@nowhere.invalid'], max_credit: 0, reuse_day: 1 },
      'max_credit',
      'max_credits',
    ],
  ])('agents and callers without a key are told of a slip at %s in %j', async (path, body, slip, meant) => {
    const { status, body: reply } = await ask(path, body, agentKey);
    expect(status).toBe(422);
    expect(reply.fields[0]).toEqual({ field: slip, error: `is not known; did you mean ${meant}?` });
  });

  it('agents and callers without a key are told of a slip when they register, and in a form', async () => {
    const { status, body } = await ask('/agent-gateway/register', { name: 'Scout', contatc: 'ops@example.com' });
    expect([status, body.fields]).toEqual([422, [{ field: 'contatc', error: 'is not known; did you mean contact?' }]]);
    const sent = await form({ max_credit: '0' }, agentKey);
    expect([sent.status, (await fieldsOf(sent))?.[0]?.field]).toEqual([422, 'max_credit']);
  });

  it('agents and callers without a key may send a name like a known one beside the known one', async () => {
    const one = await ask('/api/v1/verify', { mail: 'x', email: 'jane@nowhere.invalid', emails: [] }, agentKey);
    const list = await ask('/api/v1/verify/batch', { email: 'x', emails: ['jane@nowhere.invalid'] }, agentKey);
    expect([one.status, list.status]).toEqual([200, 201]);
  });
});

describe('rows of a file', () => {
  it('rows of a file may have members of their own in NDJSON, as in CSV, but no slip of one that is missing', async () => {
    const send = async (row: object) => {
      const response = await fetch(`${service.url}/api/v1/finder/batch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${owner.testKey}`, 'content-type': 'application/x-ndjson' },
        body: JSON.stringify(row),
      });
      return [response.status, (await fieldsOf(response))?.[0]] as const;
    };
    const person = { last_name: 'Doe', domain: 'example.com' };
    expect(await send({ ...person, first_name: 'Jane', customer_id: 7 })).toEqual([201, undefined]);
    expect(await send({ ...person, frist_name: 'Jane' })).toEqual([
      422,
      { field: 'line 1.frist_name', error: 'is not known; did you mean first_name?' },
    ]);
  });
});

describe('arguments of tools', () => {
  const verify = (given: object, key?: string) => callTool(service, 'verify_email', given, { key });

  it('arguments of tools that a tool does not know are refused for full accounts, and nothing is charged', async () => {
    const before = await remaining(owner.liveKey);
    const { isError, result } = await verify({ email: 'jane@nowhere.invalid', max_credit: 0 }, owner.liveKey);
    expect([isError, result.code, result.fields]).toEqual([
      true,
      'invalid_input',
      [{ field: 'max_credit', error: 'is not known; did you mean max_credits?' }],
    ]);
    const other = await verify({ email: 'jane@nowhere.invalid', reasoning: 'asked to' }, owner.liveKey);
    expect(other.result.fields[0].field).toBe('reasoning');
    expect(await remaining(owner.liveKey)).toBe(before);
  });

  it('arguments of tools that are null or empty are left out, known or not', async () => {
    expect((await verify({ email: 'valid@example.com', reasoning: null, note: '' }, owner.testKey)).isError).toBe(
      false,
    );
  });

  it('arguments of tools that a tool does not know are ignored for agents and without a key, but for slips', async () => {
    expect((await verify({ email: 'jane@nowhere.invalid', reasoning: 'asked to' }, agentKey)).isError).toBe(false);
    const { result } = await verify({ emial: 'jane@nowhere.invalid' }, agentKey);
    expect(result.fields).toEqual([{ field: 'emial', error: 'is not known; did you mean email?' }]);
    const explained = await callTool(service, 'explain_result', { reason: 'catch_all', why: 'asked to' });
    expect(explained.isError).toBe(false);
  });

  it('arguments of tools are described as all that there are to full accounts alone', async () => {
    const closed = async (key?: string) => {
      const { body } = await post(service, request('tools/list'), { key });
      return body.result.tools
        .map(({ inputSchema }: { inputSchema: object }) => inputSchema)
        .map((schema: { additionalProperties?: boolean }) => schema.additionalProperties);
    };
    expect(new Set(await closed(owner.liveKey))).toEqual(new Set([false]));
    for (const key of [agentKey, undefined]) expect(new Set(await closed(key))).toEqual(new Set([undefined]));
  });
});
