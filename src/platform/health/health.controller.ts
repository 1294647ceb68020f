import { Controller, Get, Inject } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { AppError } from '../errors/app-error.js';
import { AnyQuery } from '../http/known-query.interceptor.js';
import { Public } from '../http/public.decorator.js';
import { REDIS } from '../redis/redis.js';
import { Drain } from './drain.js';

/* The time that a part has to answer: orchestrators ask every few seconds, and a slower part is of no use to callers either. */
const ANSWER_WITHIN_MS = 2000;

@Public()
@AnyQuery()
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(REDIS) private readonly redis: Redis,
    private readonly drain: Drain,
  ) {}

  /** The process answers. */
  @Get('healthz')
  alive(): { status: string } {
    return { status: 'alive' };
  }

  /** The process can work: PostgreSQL and Redis answer, and it is not about to stop. */
  @Get('readyz')
  async ready(): Promise<{ status: string }> {
    const [postgresql, redis] = await Promise.all([
      answers(() => this.dataSource.query('select 1')),
      answers(() => this.redis.ping()),
    ]);
    const away = [...(postgresql ? [] : ['postgresql']), ...(redis ? [] : ['redis'])];
    if (away.length > 0) {
      const message = `Not answering: ${away.join(', ')}.`;
      throw new AppError('unavailable', { message, retryAfterSeconds: 5, body: { away } });
    }
    if (this.drain.isDraining) throw stoppingError();
    return { status: 'ready' };
  }
}

export function stoppingError(): AppError {
  return new AppError('unavailable', { message: 'This process is stopping.', retryAfterSeconds: 5 });
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
