import { Redis } from 'ioredis';
import { inject } from 'vitest';

export interface TestRedis {
  readonly url: string;
}

/** An empty Redis database of its own on the run's one server. Channels of pub/sub are shared by all of them. */
export async function testRedis(): Promise<TestRedis> {
  const { serverUrl, databases } = inject('redis');
  const redis = new Redis(serverUrl);
  try {
    // Database 0 counts who came; the others are handed out in turn.
    const number = 1 + ((await redis.incr('taken')) % (databases - 1));
    await redis.select(number);
    await redis.flushdb();
    return { url: `${serverUrl}/${number}` };
  } finally {
    redis.disconnect();
  }
}
