import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { dumpSchema } from '../support/schema-dump.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

it('the migrations make the schema that is written down (npm run schema:dump writes it anew)', async () => {
  await expect(await dumpSchema(database.url)).toMatchFileSnapshot('schema.sql');
});
