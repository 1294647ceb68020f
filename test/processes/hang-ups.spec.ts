import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { readBatch } from '../support/batches.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { chunk, exchange, head } from '../support/raw-exchange.js';
import { testRedis } from '../support/redis.js';
import { nextLook } from '../support/next-look.js';

let database: TestDatabase;
let service: ServiceProcess;
let account: FullAccount;
let batch: number;

beforeAll(async () => {
  database = await createTestDatabase();
  account = await createFullAccount(database);
  const SECRETS_KEY = '11'.repeat(32);
  service = await startProcess({ DATABASE_URL: database.url, REDIS_URL: (await testRedis()).url, SECRETS_KEY });
  batch = await finishedBatch();
});

afterAll(async () => {
  service.kill('SIGKILL');
  await service.ended;
  await database.drop();
});

const key = () => ({ Authorization: `Bearer ${account.testKey}` });

async function finishedBatch(): Promise<number> {
  const emails = Array.from({ length: 20_000 }, (_, i) => `valid${i}@a${i % 50}.example`);
  const response = await fetch(`${service.url}/api/v1/verify/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.testKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ emails }),
  });
  const { id } = (await response.json()) as { id: number };
  while ((await readBatch(database.url, id)).state !== 'completed') await nextLook();
  return id;
}

const CHUNKED = { 'Transfer-Encoding': 'chunked' };

it.each<[string, () => string[]]>([
  [
    'within JSON',
    () => [
      head('POST /api/v1/verify', { ...key(), ...CHUNKED, 'Content-Type': 'application/json' }) + chunk('{"email":'),
    ],
  ],
  [
    'within a list',
    () => [
      head('POST /api/v1/verify/batch', { ...key(), ...CHUNKED, 'Content-Type': 'text/csv' }) +
        chunk('email\na@a.example\n'),
    ],
  ],
  [
    'within a list with an idempotency key',
    () => [
      head('POST /api/v1/verify/batch', { ...key(), ...CHUNKED, 'Content-Type': 'text/csv', 'Idempotency-Key': 'h' }) +
        chunk('email\na@a.example\n'),
    ],
  ],
  [
    'within a message to the MCP endpoint',
    () => [head('POST /mcp', { ...CHUNKED, 'Content-Type': 'application/json' }) + chunk('{')],
  ],
  [
    'while the work is done',
    () => [
      `${head('POST /api/v1/verify', { ...key(), 'Content-Type': 'application/json', 'Content-Length': 26 })}{"email":"full@a.example"} `,
    ],
  ],
  ['within a download', () => [head(`GET /api/v1/verify/batch/${batch}/results?format=csv`, key())]],
  [
    'within a packed download',
    () => [head(`GET /api/v1/verify/batch/${batch}/results?format=ndjson`, { ...key(), 'Accept-Encoding': 'gzip' })],
  ],
])('a caller who goes away %s is no error of the service', async (what, pieces) => {
  const isDownload = what.includes('download');
  for (const end of ['destroy', 'resetAndDestroy'] as const) {
    const seen = service.output().length;
    await exchange(service.url, pieces(), {
      // A download has begun, and the caller reads none of it.
      finish: (socket) =>
        isDownload ? socket.once('data', () => socket.pause()[end]()) : setImmediate(() => socket[end]()),
    });
    await heardOf(seen);
  }
  expect(
    service
      .output()
      .split('\n')
      .filter((line) => /"level":"(warn|error|fatal)"/.test(line)),
  ).toEqual([]);
});

/** The request's line in the access log. */
async function heardOf(seen: number): Promise<void> {
  while (!service.output().slice(seen).includes('"context":"Access"')) await nextLook();
}
