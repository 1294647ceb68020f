import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { map, type Observable } from 'rxjs';
import type { Principal } from '../keys/access/principal.js';
import { PRESENTED } from './present.decorator.js';
import type { Presentable } from './presenter.js';
import { Presenters } from './presenters.js';

/** Innermost of the global interceptors: the body of every reply that has two shapes is made here. */
@Injectable()
export class PresentInterceptor implements NestInterceptor {
  constructor(
    private readonly presenters: Presenters,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const name = this.reflector.get<keyof Presentable | undefined>(PRESENTED, context.getHandler());
    if (name === undefined) return next.handle();
    const { principal, id } = context.switchToHttp().getRequest<{ principal: Principal; id: string }>();
    const present = this.presenters.for(principal)[name].bind(this.presenters.for(principal)) as (
      result: unknown,
      requestId: string,
    ) => object;
    return next.handle().pipe(map((result) => (result instanceof StreamableFile ? result : present(result, id))));
  }
}
