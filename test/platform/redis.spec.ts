import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Redis } from 'ioredis';
import { createRedisServer } from 'js-redis-server';
import { afterEach, describe, expect, it } from 'vitest';
import { createRedis, openRedis } from '../../src/platform/redis/redis.js';
import { held } from '../support/held.js';

const open: { close(): unknown }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

function clientOf(port: number): Redis {
  const redis = createRedis(`redis://127.0.0.1:${port}`) as Redis;
  open.push({ close: () => redis.disconnect() });
  return redis;
}

async function msUntilRefused(redis: Redis): Promise<number> {
  const startedAt = performance.now();
  await expect(redis.get('key')).rejects.toThrow();
  return performance.now() - startedAt;
}

describe('the Redis client', () => {
  it('the Redis client refuses commands soon when Redis has gone, and works again when it is back', async () => {
    const first = await createRedisServer();
    const redis = clientOf(first.port);
    await redis.set('key', 'value');
    const closed = first.close();
    redis.stream.destroy();
    await closed;
    expect(await msUntilRefused(redis)).toBeLessThan(4_000);
    expect(await msUntilRefused(redis)).toBeLessThan(4_000);

    const second = await createRedisServer({ port: first.port });
    // Before the client closes, so that the server does not wait for it.
    open.unshift({ close: () => void second.close() });
    await expect.poll(async () => (await redis.ping().catch(() => '')) === 'PONG').toBe(true);
  });

  it('the Redis client refuses commands within seconds when Redis is there but does not answer', async () => {
    const mute = await muteServer();
    const ms = await msUntilRefused(clientOf(mute));
    expect(ms).toBeGreaterThan(1_000);
    expect(ms).toBeLessThan(8_000);
  });

  it('the Redis client goes on when what it subscribes to again is refused', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    open.push({ close: () => process.off('unhandledRejection', note) });
    const server = await refusingServer();
    const redis = openRedis(`redis://127.0.0.1:${server.port}`, {
      enableReadyCheck: false,
      disableClientInfo: true,
      retryStrategy: () => 1,
    }) as Redis;
    open.push({ close: () => redis.disconnect() });
    await redis.subscribe('news');
    redis.stream.destroy();
    await expect.poll(() => server.refused()).toBeGreaterThan(0);
    // Unhandled rejections are told at the end of a turn of the event loop; the reply takes a few of them.
    await expect.poll(() => redis.subscribe('more').catch(() => 'refused')).toBe('refused');
    expect(unhandled).toEqual([]);
  });

  it('the Redis client comes back when the message of a failover meets it while it connects', async () => {
    const primary = await createRedisServer();
    open.push({ close: () => void primary.close() });
    const sentinel = await sentinelOf(primary.port);
    const redis = createRedis(`redis+sentinel://127.0.0.1:${sentinel.port}/mailsonde`);
    open.push({ close: () => redis.disconnect() });
    await redis.set('key', 'value');
    await sentinel.isHeard;
    (redis as Redis).stream.destroy();
    await expect.poll(async () => (await redis.get('key').catch(() => '')) === 'value').toBe(true);
    expect(sentinel.failovers()).toBe(1);
  });
});

/** Answers the second question for the primary after it has told all listeners of a failover, and they have hung up. */
async function sentinelOf(primary: number) {
  const address = `*2\r\n$9\r\n127.0.0.1\r\n$${String(primary).length}\r\n${primary}\r\n`;
  const told = '*3\r\n$7\r\nmessage\r\n$14\r\n+switch-master\r\n$9\r\nmailsonde\r\n';
  const listeners = new Set<Socket>();
  const heard = held();
  let questions = 0;
  let failovers = 0;
  const server = createServer((socket) => {
    open.push({ close: () => socket.destroy() });
    socket.on('error', () => undefined).on('data', (bytes) => void answer(socket, bytes.toString()));
  });
  const answer = async (socket: Socket, text: string) => {
    for (const [command] of text.matchAll(/\*\d+\r\n(?:\$\d+\r\n[^\r]*\r\n)+/g)) {
      if (/get-master-addr-by-name/i.test(command)) {
        questions += 1;
        if (questions === 2) {
          const gone = [...listeners].map((listener) => once(listener, 'close'));
          for (const listener of listeners) listener.write(told);
          await Promise.all(gone);
          failovers += 1;
        }
        socket.write(address);
      } else if (/subscribe/i.test(command)) {
        listeners.add(socket);
        socket.write('*3\r\n$9\r\nsubscribe\r\n$14\r\n+switch-master\r\n:1\r\n');
        heard.resolve(undefined);
      } else socket.write(/sentinels/i.test(command) ? '*0\r\n' : '+OK\r\n');
    }
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({ close: () => void server.close() });
  const { port } = server.address() as { port: number };
  return { port, isHeard: heard.promise, failovers: () => failovers };
}

/** Takes the first subscription, and none after it. */
async function refusingServer() {
  let asked = 0;
  const server = createServer((socket) => {
    open.push({ close: () => socket.destroy() });
    socket
      .on('error', () => undefined)
      .on('data', () => {
        asked += 1;
        socket.write(asked === 1 ? '*3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n' : '-ERR not in this context\r\n');
      });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  open.push({ close: () => server.close() });
  return { port: (server.address() as { port: number }).port, refused: () => asked - 1 };
}

/** Accepts connections and says nothing. */
async function muteServer(): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  open.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return (server.address() as { port: number }).port;
}
