import { EventEmitter, once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Command } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_URGENT_IN_A_ROW } from '../../src/lib/turns.js';
import type { HostCaps } from '../../src/engine/ports.js';
import type { Permit } from '../../src/lib/semaphore.js';
import {
  RedisConnectionLimiter,
  type RedisConnectionLimiterOptions,
} from '../../src/verify/ports/redis-connection-limiter.js';
import { createRedis, type RedisClient } from '../../src/platform/redis/redis.js';
import { systemClock } from '../../src/verify/ports/node-ports.js';
import { until } from '../support/next-look.js';
import { testRedis } from '../support/redis.js';

const HOST = 'mx.example.com';
const never = () => new AbortController().signal;
const ports = { clock: systemClock, random: { fraction: Math.random } };

let url: string;
let clients: RedisClient[];
/** Tells when Redis has answered a limiter, or could not. */
const answers = new EventEmitter();

beforeEach(async () => {
  ({ url } = await testRedis());
  clients = [];
});

afterEach(() => {
  for (const client of clients) client.disconnect();
});

/** A limiter with a Redis connection of its own, as another process has one. */
function limiterOf(options: Partial<RedisConnectionLimiterOptions> = {}, redisUrl = url) {
  const redis = createRedis(redisUrl);
  clients.push(redis);
  const send: (command: Command, ...rest: never[]) => unknown = redis.sendCommand.bind(redis);
  redis.sendCommand = (command: Command, ...rest: never[]) => {
    if (command.name === 'evalsha') void command.promise.catch(() => null).then(() => answers.emit('answer'));
    return send(command, ...rest);
  };
  return { limiter: new RedisConnectionLimiter(redis, { ...ports, ...options }), redis };
}

const caps = (connections: number, connectionsPerMinute: number | null = null): HostCaps => ({
  connections,
  connectionsPerMinute,
});

/** Whether none has a permit after Redis was asked again. */
const waits = (...attempts: Promise<Permit>[]): Promise<boolean> =>
  Promise.race([...attempts.map((attempt) => attempt.then(() => false)), askedTwice()]);

async function askedTwice(): Promise<true> {
  for (let answer = 0; answer < 2; answer += 1) await once(answers, 'answer');
  return true;
}

const untilInLine = (redis: RedisClient, turns: number): Promise<void> =>
  until(async () => {
    const inLine = await redis.zcard(`{limiter}:${HOST}:line`);
    return inLine + (await redis.zcard(`{limiter}:${HOST}:urgent`)) === turns;
  });

const untilUrgent = (redis: RedisClient, turns: number): Promise<void> =>
  until(async () => (await redis.zcard(`{limiter}:${HOST}:urgent`)) === turns);

describe('permits for a mail host', () => {
  it('permits for a mail host are never more than its cap over several processes, and every waiter gets one', async () => {
    const limiters = [limiterOf().limiter, limiterOf().limiter, limiterOf().limiter];
    let open = 0;
    let most = 0;
    const full = new AbortController();
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const permit = await limiters[i % 3]!.acquire(HOST, caps(4), never());
        most = Math.max(most, (open += 1));
        // All four are open at once before one is given back.
        if (most === 4) full.abort();
        else await once(full.signal, 'abort');
        open -= 1;
        permit.release();
      }),
    );
    expect(most).toBe(4);
  });

  it('permits for a mail host are counted for each host by itself', async () => {
    const { limiter } = limiterOf();
    await limiter.acquire(HOST, caps(1), never());
    await limiter.acquire('other.example.com', caps(1), never());
  });

  it('permits for a mail host go round among the turns of a process, and to waiters without one first', async () => {
    const { limiter } = limiterOf();
    const granted: string[] = [];
    const first = await limiter.acquire(HOST, caps(1), never());
    const all = (['a1', 'a2', 'a3', 'b1', 'now'] as const).map(async (name) => {
      const permit = await limiter.acquire(HOST, caps(1), never(), name === 'now' ? null : name[0]!);
      granted.push(name);
      permit.release();
    });
    first.release();
    await Promise.all(all);
    expect(granted).toEqual(['now', 'a1', 'b1', 'a2', 'a3']);
  });

  it('permits for a mail host leave nothing in Redis when all are released', async () => {
    const { limiter, redis } = limiterOf();
    const first = await limiter.acquire(HOST, caps(1), never());
    const second = limiter.acquire(HOST, caps(1), never());
    first.release();
    (await second).release();
    await expect.poll(() => redis.keys('*')).toEqual([]);
  });

  it('permits for a mail host of a killed process are free again when their permit ends, and not before', async () => {
    const killed = limiterOf({ permitMs: 400 });
    await killed.limiter.acquire(HOST, caps(1), never());
    killed.redis.disconnect();
    const other = limiterOf({ permitMs: 400 }).limiter.acquire(HOST, caps(1), never());
    expect(await waits(other)).toBe(true);
    await other;
  });

  it('permits for a mail host stay taken for as long as the connection is open', async () => {
    const holder = limiterOf({ permitMs: 450 });
    const permit = await holder.limiter.acquire(HOST, caps(1), never());
    const other = limiterOf({ permitMs: 450 }).limiter.acquire(HOST, caps(1), never());
    for (const from = performance.now(); performance.now() - from < 900;) expect(await waits(other)).toBe(true);
    permit.release();
    await other;
  });

  it('permits for a mail host are taken again after Redis has forgotten them', async () => {
    const { limiter, redis } = limiterOf({ permitMs: 450 });
    await limiter.acquire(HOST, caps(1), never());
    await redis.flushdb();
    await until(async () => (await redis.zcard(`{limiter}:${HOST}:open`)) > 0);
    expect(await waits(limiterOf({ permitMs: 450 }).limiter.acquire(HOST, caps(1), never()))).toBe(true);
  });
});

describe('the connections of a minute', () => {
  it('the connections of a minute are never more than the cap over several processes, although permits are free', async () => {
    const limiters = [limiterOf({ turnMs: 200 }).limiter, limiterOf({ turnMs: 200 }).limiter];
    const waiting = new Set(Array.from({ length: 8 }, (_, i) => limiters[i % 2]!.acquire(HOST, caps(10, 5), never())));
    for (let acquired = 0; acquired < 5; acquired += 1) {
      const attempts = [...waiting].map((attempt) => attempt.then((permit) => ({ attempt, permit })));
      const { attempt, permit } = await Promise.race(attempts);
      permit.release();
      waiting.delete(attempt);
    }
    expect(await waits(...waiting)).toBe(true);
  });

  it('the connections of a minute slide: when the oldest is a minute old there is room for one more', async () => {
    const { limiter, redis } = limiterOf({ turnMs: 200 });
    for (let i = 0; i < 2; i += 1) (await limiter.acquire(HOST, caps(10, 2), never())).release();
    const third = limiter.acquire(HOST, caps(10, 2), never());
    const fourth = limiter.acquire(HOST, caps(10, 2), never());
    expect(await waits(third, fourth)).toBe(true);
    const [oldest] = await redis.zrange(`{limiter}:${HOST}:opened`, 0, 0);
    await redis.zincrby(`{limiter}:${HOST}:opened`, -60_000, oldest!);
    await third;
    expect(await waits(fourth)).toBe(true);
  });
});

describe('waiting for a permit', () => {
  it('waiting for a permit ends at once with the signal’s reason when it is cancelled', async () => {
    const { limiter } = limiterOf();
    await limiter.acquire(HOST, caps(1), never());
    const reason = new Error('nobody waits any more');
    const controller = new AbortController();
    const waiting = limiter.acquire(HOST, caps(1), controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(limiter.acquire(HOST, caps(1), controller.signal)).rejects.toBe(reason);
  });

  it('waiting for a permit that is cancelled takes no other process’s turn', async () => {
    const holder = limiterOf();
    const permit = await holder.limiter.acquire(HOST, caps(1), never());
    const controller = new AbortController();
    const gone = limiterOf().limiter.acquire(HOST, caps(1), controller.signal);
    await untilInLine(holder.redis, 1);
    controller.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    const next = limiterOf().limiter.acquire(HOST, caps(1), never());
    permit.release();
    await next;
  });

  it('waiting for a permit that is cancelled while Redis is being asked leaves no permit taken', async () => {
    const { limiter, redis } = limiterOf();
    const controller = new AbortController();
    const gone = limiter.acquire(HOST, caps(1), controller.signal);
    controller.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    const permit = await limiter.acquire(HOST, caps(1), never());
    permit.release();
    await expect.poll(() => redis.keys('*')).toEqual([]);
  });

  it('waiting for a permit ends in the order in which processes came, each in its turn, however long another’s queue is', async () => {
    const [a, b, c] = [limiterOf(), limiterOf(), limiterOf()];
    const order: string[] = [];
    const acquire = async (name: string, { limiter }: { limiter: RedisConnectionLimiter }) => {
      const permit = await limiter.acquire(HOST, caps(1), never());
      order.push(name);
      permit.release();
    };
    const first = await a.limiter.acquire(HOST, caps(1), never());
    const acquired = [acquire('a1', a), acquire('a2', a), acquire('a3', a)];
    await untilInLine(a.redis, 1);
    acquired.push(acquire('b1', b));
    await untilInLine(a.redis, 2);
    acquired.push(acquire('c1', c));
    await untilInLine(a.redis, 3);
    first.release();
    await Promise.all(acquired);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  it('waiting for a permit is not for a single verification, which goes before the lists of all processes', async () => {
    const [a, b, c, single] = [limiterOf(), limiterOf(), limiterOf(), limiterOf()];
    const order: string[] = [];
    const acquire = async (name: string, { limiter }: { limiter: RedisConnectionLimiter }, turn: string | null) => {
      const permit = await limiter.acquire(HOST, caps(1), never(), turn);
      order.push(name);
      permit.release();
    };
    const first = await a.limiter.acquire(HOST, caps(1), never(), 'list');
    const acquired = [acquire('b', b, 'list')];
    await untilInLine(a.redis, 1);
    acquired.push(acquire('c', c, 'list'));
    await untilInLine(a.redis, 2);
    acquired.push(acquire('single', single, null), acquire('c now', c, null));
    await untilUrgent(a.redis, 2);
    first.release();
    await Promise.all(acquired);
    expect(order.slice(0, 2).sort()).toEqual(['c now', 'single']);
    expect(order.slice(2)).toEqual(['b', 'c']);
    await expect.poll(() => a.redis.keys('*')).toEqual([]);
  });

  it('waiting for a permit ends for a list although single verifications never do', async () => {
    const [holder, list, single] = [limiterOf(), limiterOf(), limiterOf()];
    const first = await holder.limiter.acquire(HOST, caps(1), never());
    const waiting = list.limiter.acquire(HOST, caps(1), never(), 'list');
    await untilInLine(holder.redis, 1);
    let isServed = false;
    let before = 0;
    const flood = Array.from({ length: 8 }, async () => {
      while (!isServed) {
        const permit = await single.limiter.acquire(HOST, caps(1), never(), null);
        if (!isServed) before += 1;
        permit.release();
      }
    });
    await untilUrgent(holder.redis, 1);
    first.release();
    const permit = await waiting;
    isServed = true;
    permit.release();
    await Promise.all(flood);
    expect(before).toBe(MAX_URGENT_IN_A_ROW);
  });

  it('waiting for a permit is not held up by a process that was killed while it waited', async () => {
    const holder = limiterOf({ turnMs: 300 });
    const permit = await holder.limiter.acquire(HOST, caps(1), never());
    const killed = limiterOf({ turnMs: 300 });
    const lost = killed.limiter.acquire(HOST, caps(1), never()).catch(() => 'lost');
    await untilInLine(holder.redis, 1);
    killed.redis.disconnect();
    permit.release();
    const next = limiterOf({ turnMs: 300 }).limiter.acquire(HOST, caps(1), never());
    expect(await waits(next)).toBe(true);
    await next;
    expect(await lost).toBe('lost');
  });
});

describe('without Redis', () => {
  it('a limiter with patience waits until Redis is back', async () => {
    const proxy = createServer((socket) => {
      const redis = connect(Number(new URL(url).port), '127.0.0.1');
      socket.pipe(redis).pipe(socket);
      for (const end of [socket, redis]) end.on('error', () => end.destroy());
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as { port: number };
    proxy.close();
    const away = new URL(url);
    away.port = String(port);
    const acquiring = limiterOf({ patienceMs: 60_000 }, away.href).limiter.acquire(HOST, caps(1), never());
    expect(await waits(acquiring)).toBe(true);
    proxy.listen(port, '127.0.0.1');
    await acquiring;
    proxy.close();
  });

  it('a limiter without patience rejects every waiter within seconds', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as { port: number };
    closed.close();
    const { limiter } = limiterOf({}, `redis://127.0.0.1:${port}`);
    const startedAt = performance.now();
    const both = [limiter.acquire(HOST, caps(1), never()), limiter.acquire(HOST, caps(1), never())];
    for (const attempt of both) await expect(attempt).rejects.toThrow();
    expect(performance.now() - startedAt).toBeLessThan(6_000);
  });
});
