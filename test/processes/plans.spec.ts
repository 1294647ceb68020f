import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../support/call.js';
import { runCommand } from '../support/command.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { install, type Installation, readConfig } from '../support/installation.js';
import { runProcess, type ServiceProcess, startProcess } from '../support/process.js';
import { testRedis } from '../support/redis.js';

// Each starts up to six processes.

const POLICIES = 'key-policies.json';

let database: TestDatabase;
let installation: Installation;
let variables: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  variables = { DATABASE_URL: database.url, REDIS_URL: (await testRedis()).url, SECRETS_KEY: '11'.repeat(32) };
});

beforeEach(() => {
  installation = install();
});

afterEach(() => installation.remove());
afterAll(() => database.drop());

/** Where the service is, and the key for it, once it runs. */
let administrator: Readonly<Record<string, string>> = {};
const administer = (...args: string[]) =>
  runCommand(installation.file('src/cli/admin.js'), [...args, '--json'], { ...variables, ...administrator });
const created = async (...args: string[]) => JSON.parse((await administer(...args)).stdout);

describe('a plan more in config/key-policies.json', () => {
  let service: ServiceProcess;

  afterEach(async () => {
    service.kill('SIGKILL');
    await service.ended;
  });

  it('a plan more in config/key-policies.json is taken wherever a plan is named, told in the documents, and holds for its accounts', async () => {
    const policies = JSON.parse(readConfig(POLICIES));
    const team = { ...policies.pro, requestsInFlight: 77, batchSize: 999_999, grantedCredits: 55 };
    // A batch of the others is smaller, so that the document of full accounts must say what this one may send.
    for (const name of ['free', 'pro', 'scale']) policies[name].batchSize = 500;
    installation.writeConfig(POLICIES, JSON.stringify({ ...policies, team }));
    service = await startProcess(variables, installation.file('src/main.js'));

    const { api_key: key } = await created('create-key', '--name', 'alice');
    administrator = { MAILSONDE_SERVER: service.url, MAILSONDE_ADMIN_KEY: key };
    const { id, plan } = await created('accounts', 'create', '--name', 'Team Ltd', '--plan', 'team');
    expect(plan).toBe('team');
    expect((await created('accounts', 'list', '--plan', 'team')).accounts).toMatchObject([{ id }]);
    expect(await created('accounts', 'change', id, '--plan', 'free')).toMatchObject({ plan: 'free' });

    // Not by `call`, which holds replies against the documents of today's plans.
    // oxlint-disable-next-line typescript/no-explicit-any
    const admin = async (path: string, method = 'GET', body?: object): Promise<any> => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return (await fetch(`${service.url}/admin/v1${path}`, { method, headers, ...sent })).json();
    };
    expect(await admin(`/accounts/${id}`, 'PATCH', { plan: 'team' })).toMatchObject({
      plan: 'team',
      credits: { remaining: 55 },
    });
    expect(await admin('/accounts', 'POST', { name: 'Another', plan: 'team' })).toMatchObject({ plan: 'team' });
    expect((await admin('/accounts?plan=team')).accounts).toHaveLength(2);
    expect(await admin('/accounts', 'POST', { name: 'Another', plan: 'agent' })).toMatchObject({
      code: 'invalid_input',
    });

    const { components } = await admin('/openapi.json');
    expect(components.schemas.ChangeAccountRequest.properties.plan.enum).toEqual([
      'free',
      'pro',
      'scale',
      'team',
      'agent',
      null,
    ]);
    expect(components.schemas.AccountReply.properties.plan.enum).toEqual(['free', 'pro', 'scale', 'team', 'agent']);
    const full = await (await fetch(`${service.url}/api/v1/openapi.json`)).text();
    expect(full).toContain('"maxItems":999999');

    const { api_key: live } = await created('keys', 'create', id);
    const { body, headers } = await call(service, '/api/v1/credits', { key: live });
    expect(body).toMatchObject({ plan: 'team', remaining: 55 });
    expect(headers.get('ratelimit-policy')).toContain('q=77;qu="concurrent-requests"');
  });
});

describe('a broken config/key-policies.json', () => {
  it.each([
    ['no JSON', '{'],
    ['a plan without limits', readConfig(POLICIES).replace('"batchSize": 1000000', '"batchSize": "x"')],
  ])(
    'a broken config/key-policies.json with %s ends the start, and the command that makes an admin key, in one sentence and 78',
    async (_, text) => {
      installation.writeConfig(POLICIES, text);
      const sentence = /^config\/key-policies\.json[^\n]*: allowed is [^\n]+\.\n$/;
      const start = await runProcess(variables, installation.file('src/main.js'));
      expect([start.exit, start.output]).toEqual([78, expect.stringMatching(sentence)]);
      const command = await administer('create-key', '--name', 'alice');
      expect([command.exit, command.stdout, command.stderr]).toEqual([78, '', expect.stringMatching(sentence)]);
    },
  );
});
