import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { together } from '../support/fleet.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { chunk, exchange, head } from '../support/raw-exchange.js';
import { testRedis } from '../support/redis.js';

/** Each is one whole connection; none ends by the client. */
const TIMES = 100;
const AT_ONCE = 10;
/* Two seconds on cores of its own. */
const TIMEOUT_MS = 120_000;

let database: TestDatabase;
let service: ServiceProcess;
let account: FullAccount;
let authorization: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  account = await createFullAccount(database, { credits: 1_000_000 });
  authorization = { Authorization: `Bearer ${account.testKey}` };
  // A process of its own, so that a death is seen as one.
  service = await startProcess({ DATABASE_URL: database.url, REDIS_URL: (await testRedis()).url });
});

afterAll(async () => {
  service.kill('SIGKILL');
  await service.ended;
  await database.drop();
});

const BATCH = 'POST /api/v1/verify/batch';
const CHUNKED = { 'Transfer-Encoding': 'chunked' };

/** A form of these bytes, with its length, to be followed by nothing. */
function form(body: string): string[] {
  const type = 'multipart/form-data; boundary=X';
  const headers = { ...authorization, 'Content-Type': type, 'Content-Length': body.length, Connection: 'close' };
  return [head(BATCH, headers) + body];
}

const PART = 'Content-Disposition: form-data; name="file"; filename="a.csv"\r\n';

const REQUESTS: readonly (readonly [what: string, pieces: () => string[], statuses: readonly number[]])[] = [
  [
    'a content type that the service uses for itself',
    () => [
      head('POST /agent-gateway/register', {
        'Content-Type': 'application/vnd.mailsonde.streamed',
        'Content-Length': 2,
        Connection: 'close',
      }) + '{}',
    ],
    [415],
  ],
  [
    'a form with two bad part headers',
    () => form('--X\r\nA B: x\r\n\r\nhi\r\n--X\r\nC D: x\r\n\r\nhi\r\n--X--\r\n'),
    [422],
  ],
  [
    'a form that ends within a part that is no list',
    () => form(`--X\r\n${PART.replace('a.csv', 'a.png')}Content-Type: image/png\r\n\r\nhi`),
    [415, 422],
  ],
  [
    'a form that ends within its list',
    () => form(`--X\r\n${PART}Content-Type: text/csv\r\n\r\nemail\r\nvalid@a.example\r\n`),
    [422],
  ],
  [
    'a chunk without a length behind a body that is refused, with an idempotency key',
    () => [
      head(BATCH, { ...authorization, ...CHUNKED, 'Content-Type': 'application/json', 'Idempotency-Key': 'k' }) +
        chunk('{"emails":5}'),
      'ZZ\r\n',
    ],
    [400, 409, 422],
  ],
  [
    'a chunk without a length behind something packed that is no list',
    () => [
      head(BATCH, { ...authorization, ...CHUNKED, 'Content-Type': 'application/zip', 'Content-Encoding': 'gzip' }) +
        chunk('\x1f\x8bxx'),
      'ZZ\r\n',
    ],
    [400, 415],
  ],
];

describe.each(REQUESTS)('%s', (_, pieces, statuses) => {
  it(
    'a hostile request sent a hundred times, harms no request of anybody else, and is refused each time',
    async () => {
      const replies: number[] = [];
      const isOver = { now: false };
      const other = (async () => {
        const others: number[] = [];
        while (!isOver.now) others.push(await verify());
        return others;
      })();
      await together(TIMES, AT_ONCE, async () => {
        const { status, end } = await exchange(service.url, pieces());
        expect(end).not.toBe('late');
        replies.push(status ?? 0);
      });
      isOver.now = true;
      expect(new Set(await other)).toEqual(new Set([200]));
      expect(statuses).toEqual(expect.arrayContaining([...new Set(replies)]));
      const faults = service
        .output()
        .split('\n')
        .filter((line) => /"level":"(error|fatal)"/.test(line));
      expect(faults.slice(0, 3)).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

/** @returns 0 without a reply */
async function verify(): Promise<number> {
  const response = await fetch(`${service.url}/api/v1/verify`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.liveKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'one@nowhere.invalid' }),
  }).catch(() => null);
  await response?.arrayBuffer();
  return response?.status ?? 0;
}
