import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AppError } from '../errors/app-error.js';
import { AnyQuery } from '../http/known-input.interceptor.js';
import { Public } from '../http/public.decorator.js';
import { Readiness } from './readiness.js';

@Public()
@AnyQuery()
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** The process answers. */
  @Get('healthz')
  alive(): { status: string } {
    return { status: 'alive' };
  }

  /** The process can work: PostgreSQL and Redis answer, and it is not about to stop. */
  @Get('readyz')
  async ready(): Promise<{ status: string }> {
    const away = await this.readiness.away();
    if (away.length > 0) {
      const message = `Not answering: ${away.join(', ')}.`;
      throw new AppError('unavailable', { message, retryAfterSeconds: 5, body: { away } });
    }
    if (this.readiness.isStopping) throw stoppingError();
    return { status: 'ready' };
  }
}

export function stoppingError(): AppError {
  return new AppError('unavailable', { message: 'This process is stopping.', retryAfterSeconds: 5 });
}
