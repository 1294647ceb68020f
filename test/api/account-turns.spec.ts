import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call, type Reply } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';

/** Three times as many as the process has connections to PostgreSQL. */
const FLOOD = 30;

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.close());

const waiting = () =>
  onDatabase(
    service.env.databaseUrl,
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );

it.each([
  ['keys', '/api/v1/keys', (n: number) => ({ name: `key ${n}`, kind: 'test' })],
  ['endpoints', '/api/v1/webhooks', (n: number) => ({ url: `https://hooks.example.com/${n}` })],
  ['erasures', '/api/v1/erasures', (n: number) => ({ email: `a${n}@example.com` })],
])(
  'an account that makes many %s at once waits with one connection, and another account is served',
  async (_, path, bodyOf) => {
    const database = { url: service.env.databaseUrl };
    const [flooding, other] = [await createFullAccount(database), await createFullAccount(database)];
    // Whatever the changes of an account have in common: one of them holds it, in another process.
    const blocker = new pg.Client({ connectionString: service.env.databaseUrl });
    await blocker.connect();
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE');
    let replies: Promise<Reply>[] = [];
    try {
      replies = Array.from({ length: FLOOD }, (__, n) =>
        call(service, path, { key: flooding.liveKey, body: bodyOf(n) }),
      );
      await expect.poll(waiting).toHaveLength(1);
      // A change that needs no audit line, and reads.
      for (const wanted of ['/api/v1/credits', '/api/v1/keys', path, '/api/v1/batch-settings'])
        expect((await call(service, wanted, { key: other.liveKey })).status, wanted).toBe(200);
      expect(await waiting()).toHaveLength(1);
    } finally {
      await blocker.query('ROLLBACK');
      await blocker.end();
    }
    const statuses = (await Promise.all(replies)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([path.endsWith('erasures') ? 202 : 201]));
  },
);
