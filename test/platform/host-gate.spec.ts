import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostCaps, HostLease } from '../../src/engine/ports.js';
import { RedisHostGate, type RedisHostGateOptions } from '../../src/platform/redis/host-gate.js';
import { createRedis } from '../../src/platform/redis/redis.js';
import { systemClock } from '../../src/verify/node-ports.js';
import { testRedis } from '../support/redis.js';

const HOST = 'mx.example.com';
const never = () => new AbortController().signal;
const ports = { clock: systemClock, random: { fraction: Math.random } };

let url: string;
let clients: Redis[];

beforeEach(async () => {
  ({ url } = await testRedis());
  clients = [];
});

afterEach(() => {
  for (const client of clients) client.disconnect();
});

/** A gate with a connection of its own, as another process has one. */
function gateOf(options: Partial<RedisHostGateOptions> = {}, redisUrl = url) {
  const redis = createRedis(redisUrl);
  clients.push(redis);
  return { gate: new RedisHostGate(redis, { ...ports, ...options }), redis };
}

const caps = (connections: number, connectionsPerMinute: number | null = null): HostCaps => ({
  connections,
  connectionsPerMinute,
});

/** Whether it is still outside after the time that several looks take. */
const waits = (...attempts: Promise<HostLease>[]): Promise<boolean> =>
  Promise.race([...attempts.map((attempt) => attempt.then(() => false)), delay(120).then(() => true)]);

async function untilInLine(redis: Redis, tickets: number): Promise<void> {
  while ((await redis.zcard(`gate:${HOST}:line`)) !== tickets) await delay(5);
}

describe('the places at a mail host', () => {
  it('are never more than its cap over several processes, and everybody gets one', async () => {
    const gates = [gateOf().gate, gateOf().gate, gateOf().gate];
    let open = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const lease = await gates[i % 3]!.enter(HOST, caps(4), never());
        most = Math.max(most, (open += 1));
        do await delay(1);
        while (most < 4);
        open -= 1;
        lease.release();
      }),
    );
    expect(most).toBe(4);
  });

  it('are counted for each host by itself', async () => {
    const { gate } = gateOf();
    await gate.enter(HOST, caps(1), never());
    await gate.enter('other.example.com', caps(1), never());
  });

  it('leave nothing behind when all are given back', async () => {
    const { gate, redis } = gateOf();
    const first = await gate.enter(HOST, caps(1), never());
    const second = gate.enter(HOST, caps(1), never());
    first.release();
    (await second).release();
    await expect.poll(() => redis.keys('*')).toEqual([]);
  });

  it('of a killed process are free again when their lease ends, and not before', async () => {
    const killed = gateOf({ placeMs: 400 });
    await killed.gate.enter(HOST, caps(1), never());
    killed.redis.disconnect();
    const other = gateOf({ placeMs: 400 }).gate.enter(HOST, caps(1), never());
    expect(await waits(other)).toBe(true);
    await other;
  });

  it('stay taken for as long as the connection is open', async () => {
    const holder = gateOf({ placeMs: 450 });
    const lease = await holder.gate.enter(HOST, caps(1), never());
    const other = gateOf({ placeMs: 450 }).gate.enter(HOST, caps(1), never());
    for (let look = 0; look < 5; look += 1) expect(await waits(other)).toBe(true);
    lease.release();
    await other;
  });

  it('are taken again after Redis has forgotten them', async () => {
    const { gate, redis } = gateOf({ placeMs: 450 });
    await gate.enter(HOST, caps(1), never());
    await redis.flushdb();
    while ((await redis.zcard(`gate:${HOST}:open`)) === 0) await delay(5);
    expect(await waits(gateOf({ placeMs: 450 }).gate.enter(HOST, caps(1), never()))).toBe(true);
  });
});

describe('the connections of a minute', () => {
  it('are never more than the cap over several processes, although places are free', async () => {
    const gates = [gateOf().gate, gateOf().gate];
    const outside = new Set(Array.from({ length: 8 }, (_, i) => gates[i % 2]!.enter(HOST, caps(10, 5), never())));
    for (let entered = 0; entered < 5; entered += 1) {
      const attempts = [...outside].map((attempt) => attempt.then((lease) => ({ attempt, lease })));
      const { attempt, lease } = await Promise.race(attempts);
      lease.release();
      outside.delete(attempt);
    }
    expect(await waits(...outside)).toBe(true);
  });

  it('slide: when the oldest is a minute old there is room for one more', async () => {
    const { gate, redis } = gateOf({ ticketMs: 200 });
    for (let i = 0; i < 2; i += 1) (await gate.enter(HOST, caps(10, 2), never())).release();
    const third = gate.enter(HOST, caps(10, 2), never());
    const fourth = gate.enter(HOST, caps(10, 2), never());
    expect(await waits(third, fourth)).toBe(true);
    const [oldest] = await redis.zrange(`gate:${HOST}:opened`, 0, 0);
    await redis.zincrby(`gate:${HOST}:opened`, -60_000, oldest!);
    await third;
    expect(await waits(fourth)).toBe(true);
  });
});

describe('waiting for a place', () => {
  it('ends at once with the reason when it is given up', async () => {
    const { gate } = gateOf();
    await gate.enter(HOST, caps(1), never());
    const reason = new Error('nobody waits any more');
    const giveUp = new AbortController();
    const waiting = gate.enter(HOST, caps(1), giveUp.signal);
    giveUp.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(gate.enter(HOST, caps(1), giveUp.signal)).rejects.toBe(reason);
  });

  it('given up takes nobody’s turn', async () => {
    const holder = gateOf();
    const lease = await holder.gate.enter(HOST, caps(1), never());
    const giveUp = new AbortController();
    const gone = gateOf().gate.enter(HOST, caps(1), giveUp.signal);
    await untilInLine(holder.redis, 1);
    giveUp.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    const next = gateOf().gate.enter(HOST, caps(1), never());
    lease.release();
    await next;
  });

  it('given up while Redis is being asked leaves no place taken', async () => {
    const { gate, redis } = gateOf();
    const giveUp = new AbortController();
    const gone = gate.enter(HOST, caps(1), giveUp.signal);
    giveUp.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    const lease = await gate.enter(HOST, caps(1), never());
    lease.release();
    await expect.poll(() => redis.keys('*')).toEqual([]);
  });

  it('goes in the order in which processes came, each in its turn, however long another’s queue is', async () => {
    const [a, b, c] = [gateOf(), gateOf(), gateOf()];
    const order: string[] = [];
    const visit = async (name: string, { gate }: { gate: RedisHostGate }) => {
      const lease = await gate.enter(HOST, caps(1), never());
      order.push(name);
      await delay(5);
      lease.release();
    };
    const begun = await a.gate.enter(HOST, caps(1), never());
    const visits = [visit('a1', a), visit('a2', a), visit('a3', a)];
    await untilInLine(a.redis, 1);
    visits.push(visit('b1', b));
    await untilInLine(a.redis, 2);
    visits.push(visit('c1', c));
    await untilInLine(a.redis, 3);
    begun.release();
    await Promise.all(visits);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  it('is not held up by a process that was killed while it waited', async () => {
    const holder = gateOf({ ticketMs: 300 });
    const lease = await holder.gate.enter(HOST, caps(1), never());
    const killed = gateOf({ ticketMs: 300 });
    const lost = killed.gate.enter(HOST, caps(1), never()).catch(() => 'lost');
    await untilInLine(holder.redis, 1);
    killed.redis.disconnect();
    lease.release();
    const next = gateOf({ ticketMs: 300 }).gate.enter(HOST, caps(1), never());
    expect(await waits(next)).toBe(true);
    await next;
    expect(await lost).toBe('lost');
  });
});

describe('without Redis', () => {
  it('whoever has patience waits until it is back', async () => {
    const door = createServer((socket) => {
      const redis = connect(Number(new URL(url).port), '127.0.0.1');
      socket.pipe(redis).pipe(socket);
      for (const end of [socket, redis]) end.on('error', () => end.destroy());
    }).listen(0, '127.0.0.1');
    await once(door, 'listening');
    const { port } = door.address() as { port: number };
    door.close();
    const away = new URL(url);
    away.port = String(port);
    const entering = gateOf({ patienceMs: 60_000 }, away.href).gate.enter(HOST, caps(1), never());
    expect(await waits(entering)).toBe(true);
    door.listen(port, '127.0.0.1');
    await entering;
    door.close();
  });

  it('there is leave for nobody, and that is said within seconds', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as { port: number };
    closed.close();
    const { gate } = gateOf({}, `redis://127.0.0.1:${port}`);
    const startedAt = performance.now();
    const both = [gate.enter(HOST, caps(1), never()), gate.enter(HOST, caps(1), never())];
    for (const attempt of both) await expect(attempt).rejects.toThrow();
    expect(performance.now() - startedAt).toBeLessThan(6_000);
  });
});
