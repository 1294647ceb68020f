import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { install, type Installation, readConfig } from '../support/installation.js';
import { startProcess } from '../support/process.js';
import { testRedis } from '../support/redis.js';

let database: TestDatabase;
let installation: Installation;
let variables: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  variables = { DATABASE_URL: database.url, REDIS_URL: (await testRedis()).url };
});

beforeEach(() => {
  installation = install();
});

afterEach(() => installation.remove());
afterAll(() => database.drop());

// oxlint-disable-next-line typescript/no-explicit-any
type Rows = Record<string, any>;

it.each([
  [
    'file-signatures.json',
    'says no pattern in `follows`',
    // Workers take no bodies, and do not read it.
    ['api', 'all'],
    (rows: Rows) => (rows['a bzip2 archive'].follows = '('),
    'config/file-signatures.json a bzip2 archive.follows is "(": allowed is a regular expression.\n',
  ],
  [
    'report-findings.json',
    'is not there',
    ['api', 'worker'],
    (rows: Rows) => delete rows.reverse_name_missing,
    'config/report-findings.json.reverse_name_missing is "missing": allowed is an object.\n',
  ],
  [
    'bulk-sender-rules.json',
    'is not there',
    ['api', 'worker'],
    (rows: Rows) => delete rows.one_from,
    'config/bulk-sender-rules.json.one_from is "missing": allowed is an object.\n',
  ],
])(
  'config/%s, of which a row %s, ends the start of each process that uses it with 78 in a sentence that names file and row',
  async (file, _, roles, change, sentence) => {
    const rows = JSON.parse(readConfig(file)) as Rows;
    change(rows);
    installation.writeConfig(file, JSON.stringify(rows));
    for (const ROLE of roles) {
      const started = startProcess({ ...variables, ROLE }, installation.file('src/main.js'));
      const outcome = await started.then(
        ({ kill }) => (kill('SIGKILL'), 'It has started.'),
        ({ message }: Error) => message,
      );
      expect([ROLE, outcome]).toEqual([ROLE, `The service ended with 78 before it listened:\n${sentence}`]);
    }
  },
);
