import pg from 'pg';
import { DataSource } from 'typeorm';
import { expect, it, onTestFinished } from 'vitest';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { call, register } from '../support/call.js';
import { createTestDatabase } from '../support/database.js';
import { startDnsServer } from '../support/dns-server.js';
import { startProcess } from '../support/process.js';
import { testRedis } from '../support/redis.js';
import { startService } from '../support/service.js';

/** `KILL_ROUNDS=20 npx vitest run test/api/credits-crash.spec.ts` for a longer look. */
const KILL_ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 3);
/** Longer than a verification may take and its reservation is kept after that. */
const A_WHILE_MS = 120_000;

it('a process killed while it verifies charges its answers and nothing else', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const dns = await startDnsServer({ zones: { 'slow.example.com': 'silent' } });
  onTestFinished(() => dns.close());
  const environment = {
    DATABASE_URL: database.url,
    REDIS_URL: (await testRedis()).url,
    DNS_SERVERS: dns.address,
    REGISTRATIONS_PER_HOUR: '100',
    REGISTRATIONS_PER_DAY: '100',
    LOG_LEVEL: 'info',
  };

  for (let round = 1; round <= KILL_ROUNDS; round++) {
    const doomed = await startProcess(environment);
    const key = await register(doomed);
    const idle = await register(doomed);
    expect((await call(doomed, '/api/v1/verify', { key: idle, body: { email: 'jane@nowhere.invalid' } })).status).toBe(
      200,
    );
    const asked = dns.questions.length;
    const running = call(doomed, '/api/v1/verify', { key, body: { email: 'someone@slow.example.com' } }).then(
      () => 'answered',
      () => 'lost',
    );
    await expect.poll(() => dns.questions.length).toBeGreaterThan(asked);
    doomed.kill('SIGKILL');
    expect(await doomed.ended).toBe('SIGKILL');
    expect(await running).toBe('lost');
    expect(await openReservations(database.url)).toBe(1);

    const successor = await startService({
      database,
      clock: { now: () => Date.now() + A_WHILE_MS },
      timer: SYSTEM_TIMER,
    });
    try {
      const query = (sql: string) => successor.app.get(DataSource).query(sql);
      await expect
        .poll(() => query('SELECT count(*)::integer AS open FROM credit_reservations'))
        .toEqual([{ open: 0 }]);
      // One answer a round, each charged to its key and to the pool.
      expect(await query('SELECT sum(used)::integer AS used FROM agent_daily_usage')).toEqual([{ used: round }]);
      expect(await query('SELECT sum(used)::integer AS used FROM agent_daily_pool')).toEqual([{ used: round }]);
    } finally {
      await successor.close();
    }
  }
});

async function openReservations(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ open: number }>('SELECT count(*)::integer AS open FROM credit_reservations');
  await client.end();
  return rows[0]!.open;
}
