import { Inject, Injectable } from '@nestjs/common';
import { REDIS, type RedisClient } from '../platform/redis/redis.js';

const KEY = 'inbound:listening';
/** Three times what passes between two words of one process. */
const KEPT_SECONDS = 45;

/** Whether any process of the installation receives mail now: workers say so, and the others ask. */
@Injectable()
export class InboundPresence {
  #isHere = false;

  constructor(@Inject(REDIS) private readonly redis: RedisClient) {}

  /** This process receives; the others are told so. */
  async tell(): Promise<void> {
    this.#isHere = true;
    await this.redis.set(KEY, '1', 'EX', KEPT_SECONDS);
  }

  async isListening(): Promise<boolean> {
    return this.#isHere || (await this.redis.get(KEY)) !== null;
  }
}
