import { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DemonstrationService } from '../../src/admin/demonstration.service.js';
import { banner } from '../../src/banner.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startService, type TestService } from '../support/service.js';

const PARTS = [{ name: 'PostgreSQL', what: 'PostgreSQL', replaceWith: 'DATABASE_URL' }] as const;

let database: TestDatabase;
let services: TestService[];

beforeEach(async () => {
  database = await createTestDatabase();
  services = await Promise.all([startService({ database }), startService({ database })]);
});

afterEach(async () => {
  await Promise.all(services.map((service) => service.close()));
  await database.drop();
});

const prepare = (index: 0 | 1) => services[index]!.app.get(DemonstrationService).prepare();

describe('the demonstration', () => {
  it('the demonstration is made once, by the first process', async () => {
    const both = await Promise.all([prepare(0), prepare(1), prepare(0)]);
    expect(both.filter(({ keys }) => keys !== null)).toHaveLength(1);
    expect(new Set(both.map(({ accountId }) => accountId)).size).toBe(1);
    expect(await prepare(1)).toEqual({ accountId: both[0].accountId, keys: null });
  });

  it('the demonstration has a test key that verifies for nothing, and an admin key that administers', async () => {
    const { keys, accountId } = await prepare(0);
    const verified = await call(services[1]!, '/api/v1/verify', {
      key: keys!.test,
      body: { email: 'catch-all@example.com' },
    });
    expect(verified).toMatchObject({ status: 200, body: { verdict: 'risky', credits_charged: 0 } });
    const shown = await call(services[1]!, `/admin/v1/accounts/${accountId}`, { key: keys!.admin });
    expect(shown.body).toMatchObject({ name: 'Demonstration', plan: 'free', credits: { remaining: 100 } });
    const { body } = await call(services[1]!, '/admin/v1/audit', { key: keys!.admin });
    expect(body.entries.map(({ act, from }: { act: string; from: string }) => [act, from])).toEqual([
      ['key.create', 'npm start'],
      ['key.create', 'npm start'],
      ['account.create', 'npm start'],
    ]);
  });

  it('the demonstration keeps its keys nowhere in clear', async () => {
    const { keys } = await prepare(0);
    const query = (sql: string) => services[0]!.app.get(DataSource).query(sql);
    const tables: { name: string }[] = await query(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    for (const { name } of tables) {
      const rows = JSON.stringify(await query(`SELECT t::text FROM "${name}" t`));
      for (const key of Object.values(keys!)) expect(rows, name).not.toContain(key.slice(9, -4));
    }
  });

  it('the demonstration is shown at the first start, and named at every later one', async () => {
    const env = { publicUrl: 'http://127.0.0.1:3000', dataDir: '.mailsonde' };
    const first = await prepare(0);
    const shown = banner(env, PARTS, first);
    expect(shown).toContain(`Bearer ${first.keys!.test}`);
    expect(shown).toMatch(new RegExp(`Test +${first.keys!.test} +\\(of the demonstration account:`));
    expect(shown).toMatch(new RegExp(`Admin +${first.keys!.admin} +\\(of no account:`));
    const later = banner(env, PARTS, await prepare(0));
    expect(later).not.toMatch(/ms_(test|admin)_\w/);
    expect(later).toContain(`npm run admin -- keys create ${first.accountId} --kind test`);
    expect(later).toContain('npm run admin -- create-key --name');
  });

  it('the demonstration does not exist in a configured database', () => {
    const text = banner({ publicUrl: 'http://127.0.0.1:3000', dataDir: '.mailsonde' }, [], null);
    expect(text).not.toMatch(/demonstration/i);
    expect(text).toContain('/agent-gateway/register');
  });

  it('the demonstration leaves the account’s id out when somebody has deleted it', async () => {
    await prepare(0);
    const query = (sql: string) => services[0]!.app.get(DataSource).query(sql);
    await query('DELETE FROM credit_balances');
    await query('DELETE FROM accounts');
    expect(await prepare(1)).toEqual({ accountId: null, keys: null });
  });
});
