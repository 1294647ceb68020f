import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await createDataSource(database.url);
});

afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** What TypeORM would change in the database to make it what the entities say. */
async function differences(): Promise<string[]> {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}

describe('entities', () => {
  it('entities are loaded from every room that has some', () => {
    const tables = dataSource.entityMetadatas.map(({ tableName }) => tableName);
    expect(tables).toEqual(
      expect.arrayContaining([
        'accounts',
        'agent_daily_pool',
        'api_keys',
        'audit_log',
        'credit_ledger',
        'domain_patterns',
        'suppression_settings',
        'suppressions',
        'webhook_deliveries',
        'webhook_endpoints',
        'webhook_events',
      ]),
    );
  });

  // TypeORM compares neither the expressions of checks nor the conditions of partial indexes, only their names.
  it('entities describe their tables as the migrations do', async () => {
    expect(await differences()).toEqual([]);
  });

  it('entities are found to differ when a table does', async () => {
    await dataSource.query('ALTER TABLE accounts ALTER COLUMN name SET NOT NULL');
    expect(await differences()).toEqual(['ALTER TABLE "accounts" ALTER COLUMN "name" DROP NOT NULL']);
    await dataSource.query('ALTER TABLE accounts ALTER COLUMN name DROP NOT NULL');
  });

  it('entities know a foreign key into the table of another room, which they name by its table', async () => {
    await dataSource.query('ALTER TABLE suppression_settings DROP CONSTRAINT suppression_settings_account_id_fkey');
    const key =
      'ALTER TABLE "suppression_settings" ADD CONSTRAINT "suppression_settings_account_id_fkey" FOREIGN KEY ("account_id") ' +
      'REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION';
    expect(await differences()).toEqual([key]);
    await dataSource.query(key);
    expect(await differences()).toEqual([]);
  });
});
