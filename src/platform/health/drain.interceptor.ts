import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AroundInterceptor, type Rest } from '../http/around/around.interceptor.js';
import { Drain } from './drain.js';

/** Counts the work itself, which goes on after the caller has hung up. */
@Injectable()
export class DrainInterceptor extends AroundInterceptor {
  constructor(private readonly drain: Drain) {
    super();
  }

  async around(_context: ExecutionContext, rest: Rest): Promise<unknown> {
    this.drain.begin();
    try {
      return await rest();
    } finally {
      this.drain.end();
    }
  }
}
