import type { Cluster } from 'ioredis';
import { createRedisCluster, type RedisCluster } from 'js-redis-server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ListBudgets } from '../../src/deliverability/blacklists/list-budgets.js';
import type { Blacklist } from '../../src/mail-dns/blacklist-row.js';
import { RedisWarmUp } from '../../src/sending/egress/redis-warm-up.js';
import { isOutage } from '../../src/platform/errors/outage.js';
import { probeRedis } from '../../src/platform/embedded/configured-servers.js';
import type { Limit } from '../../src/platform/redis/limits.js';
import { RateLimiter } from '../../src/platform/redis/rate-limiter.js';
import { createRedis, openRedis } from '../../src/platform/redis/redis.js';
import { RedisConnectionLimiter } from '../../src/verify/ports/redis-connection-limiter.js';
import { nodePorts } from '../../src/verify/ports/node-ports.js';
import { ReceivingHosts } from '../../src/webhooks/worker/receiving-hosts.js';
import { createFullAccount } from '../support/accounts.js';
import { call, register } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { NO_TIMER } from '../support/manual-clock.js';
import { testRedis } from '../support/redis.js';
import { startService, type TestService } from '../support/service.js';
import { wallClock } from '../../src/platform/clock.js';

let cluster: RedisCluster | null = null;
/** That of a real cluster, if there is one. */
let url = process.env['REDIS_CLUSTER'] ?? '';
const clients: Cluster[] = [];

beforeAll(async () => {
  if (url !== '') return;
  cluster = createRedisCluster({ masters: 3, basePort: 0 });
  await cluster.listen();
  url = `redis+cluster://${cluster.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
});

afterEach(() => {
  for (const client of clients.splice(0)) client.disconnect();
});

afterAll(() => cluster?.close());

/** Patient, because the cluster of this process needs seconds for its first script on a busy machine. */
function connect(open = openRedis(url, { commandTimeout: 30_000 })): Cluster {
  const client = open as Cluster;
  clients.push(client);
  return client;
}

describe('on a cluster of three nodes', () => {
  it('on a cluster of three nodes limits of many accounts that come together are decided, each on its node', async () => {
    const client = connect();
    const limiter = new RateLimiter(client, NO_TIMER);
    const limitsOf = (account: number): Limit[] => [
      { kind: 'bucket', key: `rate:{${account}}`, perSecond: 0.1, burst: 3 },
      { kind: 'permits', key: `flight:{${account}}`, permits: 2 },
    ];
    const asked = await Promise.all(Array.from({ length: 120 }, (_, i) => limiter.admit(limitsOf(i % 30))));
    const admitted = asked.filter(({ refusedBy }) => refusedBy === null);
    expect(admitted).toHaveLength(60);
    await limiter.renew();
    await Promise.all(admitted.map((one) => limiter.release(one)));
    const again = await Promise.all(Array.from({ length: 30 }, (_, i) => limiter.admit(limitsOf(i))));
    expect(again.map(({ refusedBy }) => refusedBy)).toEqual(Array.from({ length: 30 }, () => null));
    const held = await Promise.all(client.nodes('master').map((node) => node.dbsize()));
    expect(held.filter((keys) => keys > 0)).toHaveLength(3);
    await limiter.onModuleDestroy();
  });

  it('on a cluster of three nodes limits of one admission that lie in different slots are refused before they are asked', async () => {
    const limiter = new RateLimiter(connect(), NO_TIMER);
    const limits = ['a', 'b'].map((key): Limit => ({ kind: 'permits', key, permits: 1 }));
    await expect(limiter.admit(limits)).rejects.toThrow('without a common tag: a, b');
    await limiter.onModuleDestroy();
  });

  it('on a cluster of three nodes permits of many mail hosts, budgets of lists, warm-ups and receiving hosts are counted', async () => {
    const redis = connect();
    const { clock, random } = nodePorts({ dnsServers: ['127.0.0.1'] });
    const gate = new RedisConnectionLimiter(redis, { clock, random });
    const caps = { connections: 1, connectionsPerMinute: 10 };
    const hosts = Array.from({ length: 20 }, (_, i) => `mx${i}.example.com`);
    const permits = await Promise.all(
      hosts.map((host) => gate.acquire(host, caps, new AbortController().signal, null, 'north')),
    );
    expect(permits).toHaveLength(20);
    for (const permit of permits) permit.release();

    const list = { id: 'some', queriesPerDay: 2 } as Blacklist;
    const budgets = new ListBudgets(redis, wallClock());
    expect([...(await budgets.take(new Map([[list, 2]])))]).toEqual([]);
    expect([...(await budgets.take(new Map([[list, 1]])))]).toEqual(['some']);

    const warmUp = new RedisWarmUp(redis, clock);
    expect(await warmUp.take('operator', 'north', 50, 60)).toBe(50);

    const limiter = new RateLimiter(redis, NO_TIMER);
    const receiving = new ReceivingHosts(limiter, { hostPerSecond: 0.01, hostBurst: 4 });
    const admit = () => receiving.admit('1', '2001:db8::1');
    expect([await admit(), await admit()]).toEqual([0, 0]);
    expect(await admit()).toBeGreaterThan(0);
    await limiter.onModuleDestroy();
  });

  it('on a cluster of three nodes commands fail soon when all nodes are gone', async () => {
    const other = createRedisCluster({ masters: 3, basePort: 0 });
    await other.listen();
    const redis = connect(createRedis(`redis+cluster://127.0.0.1:${other.nodes[0]!.port}`));
    await redis.set('key', 'value');
    for (const node of redis.nodes()) node.disconnect();
    await other.close();
    const startedAt = performance.now();
    await expect(redis.get('key')).rejects.toThrow();
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });

  it('a start sees a cluster that is there, one that is away, and a Redis that is none', async () => {
    await probeRedis(url);
    const away = await probeRedis('redis+cluster://127.0.0.1:1').catch((error: unknown) => error);
    expect(isOutage(away)).toBe(true);
    const { url: single } = await testRedis();
    const none = await probeRedis(single.replace(/^redis:/, 'redis+cluster:').replace(/\/\d+$/, '')).catch(
      (error: unknown) => error,
    );
    expect(none).toBeInstanceOf(Error);
    expect(isOutage(none)).toBe(false);
  });
});

describe('the service on a cluster of three nodes', () => {
  let database: TestDatabase;
  let services: TestService[];

  beforeAll(async () => {
    database = await createTestDatabase();
    services = [
      await startService({ database, env: { redisUrl: url, role: 'all' } }),
      await startService({ database, env: { redisUrl: url, role: 'api' } }),
    ];
  });

  afterAll(async () => {
    for (const service of services) await service.close();
    await database.drop();
  });

  it('the service on a cluster of three nodes registers agents, signs in, verifies lists by its queue, and ends keys in every process', async () => {
    const [first, second] = services as [TestService, TestService];
    expect((await call(first, '/readyz')).status).toBe(200);
    const agentKey = await register(first);
    expect((await call(first, '/api/v1/verify', { key: agentKey, body: { email: 'a b' } })).status).toBeLessThan(300);

    const account = await createFullAccount(database);
    const key = account.testKey;
    const signedIn = await call(first, '/console/session', {
      body: { api_key: key },
      headers: { origin: first.url },
    });
    expect(signedIn.status).toBe(204);

    const emails = ['valid@example.com', 'invalid@example.com'];
    const sent = await call(first, '/api/v1/verify/batch', { key, body: { name: 'list', emails } });
    expect(sent.status).toBe(201);
    const status = async () => (await call(first, `/api/v1/verify/batch/${sent.body.id}`, { key })).body.status;
    await expect.poll(status).toBe('completed');

    expect((await call(second, '/api/v1/credits', { key })).status).toBe(200);
    const { body } = await call(first, '/api/v1/keys', { key: account.liveKey });
    const { id } = body.keys.find(({ kind }: { kind: string }) => kind === 'test');
    expect((await call(first, `/api/v1/keys/${id}`, { method: 'DELETE', key: account.liveKey })).status).toBe(204);
    await expect.poll(async () => (await call(second, '/api/v1/credits', { key })).status).toBe(401);
  });
});
