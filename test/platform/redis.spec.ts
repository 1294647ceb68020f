import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Redis } from 'ioredis';
import { createRedisServer } from 'js-redis-server';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../src/platform/embedded/processes.js';
import { createRedis } from '../../src/platform/redis/redis.js';

const open: { close(): unknown }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

function clientOf(port: number): Redis {
  const redis = createRedis(`redis://127.0.0.1:${port}`);
  open.push({ close: () => redis.disconnect() });
  return redis;
}

async function msUntilRefused(redis: Redis): Promise<number> {
  const startedAt = performance.now();
  await expect(redis.get('key')).rejects.toThrow();
  return performance.now() - startedAt;
}

describe('the Redis client', () => {
  it('refuses commands soon when Redis has gone, and works again when it is back', async () => {
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
    expect(await until(async () => (await redis.ping().catch(() => '')) === 'PONG', 5_000)).toBe(true);
  });

  it('refuses commands within seconds when Redis is there but does not answer', async () => {
    const mute = await muteServer();
    const ms = await msUntilRefused(clientOf(mute));
    expect(ms).toBeGreaterThan(1_000);
    expect(ms).toBeLessThan(8_000);
  });
});

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
