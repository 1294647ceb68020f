import { Inject, Injectable } from '@nestjs/common';
import { REDIS, type RedisClient } from '../platform/redis/redis.js';

const KEY = 'inbound:listening';
/** Three times what passes between two words of one process. */
const KEPT_SECONDS = 45;

/** Whether any process of the installation receives mail now: workers say so, and the others ask. */
@Injectable()
export class InboundPresence {
  constructor(@Inject(REDIS) private readonly redis: RedisClient) {}

  async tell(): Promise<void> {
    await this.redis.set(KEY, '1', 'EX', KEPT_SECONDS);
  }

  async isListening(): Promise<boolean> {
    return (await this.redis.get(KEY)) !== null;
  }
}
