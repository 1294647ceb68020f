import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WorkerPresenceService } from '../../src/batch/worker/worker-presence.service.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey, runAdmin } from '../support/admin.js';
import { onDatabase, queueBatch } from '../support/batches.js';
import { call, register } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { scrape } from '../support/scrape.js';
import { startService, type TestService } from '../support/service.js';

const directory = mkdtempSync(join(tmpdir(), 'regions-'));
const egressFile = join(directory, 'egress.json');
const sourceOf = (name: string, region: string | null) => ({
  name,
  ...(region !== null && { region }),
  helo: `${name}.example.com`,
  mail_from: '',
});

let database: TestDatabase;
let service: TestService;
let adminKey: string;
let account: FullAccount;

beforeAll(async () => {
  writeFileSync(
    egressFile,
    JSON.stringify({ sources: [sourceOf('a', 'eu'), sourceOf('b', 'us'), sourceOf('c', null)] }),
  );
  database = await createTestDatabase();
  service = await startService({ database, env: { role: 'api', egressFile, metricsPort: 0 } });
  adminKey = await createAdminKey(service);
  account = await createFullAccount(database);
});

afterAll(async () => {
  await service.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});

const admin = (path: string, options: object = {}) => call(service, `/admin/v1${path}`, { key: adminKey, ...options });
const command = (...argv: string[]) => runAdmin(service, ...argv);
const change = (body: object, id = account.accountId) => admin(`/accounts/${id}`, { method: 'PATCH', body });

async function openedSource() {
  const source = await createDataSource(database.url);
  onTestFinished(() => source.destroy());
  return source;
}

describe('the region of an account', () => {
  it('the region of an account is none until an administrator names one, and stays when something else is changed', async () => {
    expect((await admin(`/accounts/${account.accountId}`)).body.region).toBeNull();
    expect((await change({ region: 'eu' })).body).toMatchObject({ region: 'eu', plan: 'scale' });
    expect((await change({ note: 'moved' })).body).toMatchObject({ region: 'eu', note: 'moved' });
    expect((await change({ region: null })).body).toMatchObject({ region: null, note: 'moved' });
    const { entries } = (await admin(`/accounts/${account.accountId}/audit`)).body;
    expect(entries.filter(({ act }: { act: string }) => act === 'account.change_region')).toMatchObject([
      { details: { from: 'eu', to: null } },
      { details: { from: null, to: 'eu' } },
    ]);
  });

  it('the region of an account is refused where no source and no worker has it, and then nothing else is changed either', async () => {
    const { status, body } = await change({ region: 'mars', note: 'lost' });
    expect([status, body.code]).toEqual([422, 'invalid_input']);
    expect(body.fields).toEqual([{ field: 'region', error: 'region must be one of eu, us' }]);
    expect((await admin(`/accounts/${account.accountId}`)).body).toMatchObject({ region: null, note: 'moved' });
  });

  it.each([['eu\0'], ['EU'], [''], ['x'.repeat(41)], [7], [['eu']], [{ region: 'eu' }]])(
    'the region of an account is refused as %j',
    async (region) => {
      const { status, body } = await change({ region });
      expect([status, body.code]).toEqual([422, 'invalid_input']);
    },
  );

  it('the region of an account is named when the account is made, by HTTP and by command, stands in its audit, and nothing is made of one that nobody has', async () => {
    const make = (body: object) => admin('/accounts', { body: { name: 'Made with a region', ...body } });
    const { status, body } = await make({ region: 'eu' });
    expect([status, body.region]).toEqual([201, 'eu']);
    const { entries } = (await admin(`/accounts/${body.id}/audit`)).body;
    expect(entries).toMatchObject([{ act: 'account.create', details: { region: 'eu' } }]);
    expect((await make({ region: null })).body.region).toBeNull();
    const madeBefore = (await admin('/accounts?limit=100')).body.accounts.length;
    const refused = await make({ region: 'mars' });
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_input']);
    expect(refused.body.fields).toEqual([{ field: 'region', error: 'region must be one of eu, us' }]);
    for (const region of ['eu\0', '', 'x'.repeat(41), 7, ['eu'], { region: 'eu' }])
      expect((await make({ region })).body.code).toBe('invalid_input');
    expect((await command('accounts', 'create', '--name', 'Slip', '--region', 'mars')).exit).toBe(1);
    expect((await admin('/accounts?limit=100')).body.accounts).toHaveLength(madeBefore);
    const made = await command('accounts', 'create', '--name', 'By command', '--region', 'us', '--json');
    expect(JSON.parse(made.out)).toMatchObject({ name: 'By command', region: 'us' });
  });

  it('the region of an account goes over to the agents that the account claims, follows it, and is not theirs to be changed', async () => {
    const { accountId, liveKey } = await createFullAccount(database);
    await change({ region: 'eu' }, accountId);
    const agentKey = await register(service);
    const { id } = (await admin(`/search?q=${agentKey}`)).body.matches[0].account;
    const regionOf = async () => (await admin(`/accounts/${id}`)).body.region;
    expect((await change({ region: 'us' }, id)).body.region).toBe('us');
    const claimed = await call(service, '/api/v1/claims', { key: liveKey, body: { agent_key: agentKey } });
    expect(claimed.status).toBe(201);
    expect(await regionOf()).toBe('eu');
    const refused = await change({ region: 'us' }, id);
    expect([refused.status, refused.body.fields]).toEqual([
      422,
      [{ field: 'region', error: 'region is that of the account that has claimed the agent' }],
    ]);
    await change({ region: 'us' }, accountId);
    expect(await regionOf()).toBe('us');
    await change({ region: null }, accountId);
    expect(await regionOf()).toBeNull();
  });

  it('the region of an account may be that of an agent, is for administrators only, and unknown accounts are 404', async () => {
    const agent = await register(service);
    const { id } = (await admin(`/search?q=${agent}`)).body.matches[0].account;
    expect((await change({ region: 'us' }, id)).body).toMatchObject({ kind: 'agent', region: 'us' });
    const unknown = await change({ region: 'eu' }, '00000000-0000-4000-8000-000000000000');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'account_not_found']);
    const asked = { method: 'PATCH', body: { region: 'eu' } };
    for (const key of [account.liveKey, account.testKey, agent])
      expect((await call(service, `/admin/v1/accounts/${id}`, { key, ...asked })).body.code).toBe('admin_required');
    expect((await admin(`/accounts/${id}`)).body.region).toBe('us');
  });
});

it('batches of a region that no worker has are told of by status, workers, command line and metrics', async () => {
  await change({ region: 'eu' });
  const ids = await Promise.all(
    [1, 2].map(() => queueBatch(database.url, { accountId: account.accountId, emails: ['a@example.com'] })),
  );
  await queueBatch(database.url, { accountId: account.accountId, emails: ['b@example.com'], simulated: true });
  // Ids of the service begin with the time, those of these two do not.
  const oldest = Math.min(...ids);
  await onDatabase(database.url, `UPDATE batch_chunks SET due_at = due_at - interval '1 minute' WHERE batch_id = $1`, [
    oldest,
  ]);
  const { body } = await admin('/workers');
  expect(body.unworked_regions).toEqual([{ region: 'eu', batches: 2, oldest_batch_id: oldest }]);
  expect((await scrape(service)).valueOf('mailsonde_batch_region_unworked', { region: 'eu' })).toBe(2);
  const status = await command('status');
  expect(status.exit).toBe(1);
  expect(status.out).toContain(
    `! MailsondeBatchWaits: No worker of the region eu is alive (REGION=eu): 2 batches wait, the first is ${oldest} of Test account.\n`,
  );
  expect(status.out).toContain('no worker is alive, 1 chunk is due');
  const presence = new WorkerPresenceService(await openedSource(), { all: [], own: [], region: 'us' });
  await presence.assure();
  expect((await command('status')).out).toContain(
    "no worker of its account's region eu is alive, and no other may work on it, 1 chunk is due",
  );
  await presence.beforeApplicationShutdown();
  expect((await command('workers')).out).toMatch(/Regions without a worker\nregion +batches +oldest_batch_id\neu +2 /);

  const changed = await command('accounts', 'change', account.accountId, '--region', 'us', '--json');
  expect(JSON.parse(changed.out)).toMatchObject({ region: 'us' });
  expect((await admin('/workers')).body.unworked_regions).toMatchObject([{ region: 'us', batches: 2 }]);
  expect((await command('accounts', 'change', account.accountId, '--region', 'mars')).exit).toBe(1);
  const taken = await command('accounts', 'change', account.accountId, '--region', '', '--json');
  expect(JSON.parse(taken.out)).toMatchObject({ region: null });
  expect((await admin('/workers')).body.unworked_regions).toEqual([]);
});
