import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { REDIS, type RedisClient } from '../redis/redis.js';
import { Drain } from './drain.js';

/* The time that a part has to answer: orchestrators ask every few seconds, and a slower part is of no use to callers either. */
const ANSWER_WITHIN_MS = 2000;

/** Whether this process can work. */
@Injectable()
export class Readiness {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(REDIS) private readonly redis: RedisClient,
    private readonly drain: Drain,
  ) {}

  /** It finishes what runs, and takes nothing more. */
  get isStopping(): boolean {
    return this.drain.isDraining;
  }

  /** The servers that do not answer. */
  async away(): Promise<string[]> {
    const [postgresql, redis] = await Promise.all([
      answers(() => this.dataSource.query('select 1')),
      answers(() => this.redis.ping()),
    ]);
    return [...(postgresql ? [] : ['postgresql']), ...(redis ? [] : ['redis'])];
  }
}

async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ANSWER_WITHIN_MS, false);
  });
  try {
    return await Promise.race([ask().then(() => true), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
