import { type ExecutionContext, Injectable, StreamableFile } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AroundInterceptor, type Rest } from '../platform/http/around.interceptor.js';
import type { Principal } from '../keys/access/principal.js';
import { PRESENTED, type Presentable } from './presenter.js';
import { Presenters } from './presenters.js';

/** Innermost of the global interceptors: the body of every reply that has two shapes is made here. */
@Injectable()
export class PresentInterceptor extends AroundInterceptor {
  /** By handler; undefined where a reply has one shape. */
  private readonly presented = new Map<unknown, keyof Presentable | undefined>();

  constructor(
    private readonly presenters: Presenters,
    private readonly reflector: Reflector,
  ) {
    super();
  }

  around(context: ExecutionContext, rest: Rest): Promise<unknown> {
    const name = this.nameFor(context.getHandler());
    return name === undefined ? rest() : this.present(name, context, rest);
  }

  private nameFor(handler: ReturnType<ExecutionContext['getHandler']>): keyof Presentable | undefined {
    if (!this.presented.has(handler)) this.presented.set(handler, this.reflector.get(PRESENTED, handler));
    return this.presented.get(handler);
  }

  private async present(name: keyof Presentable, context: ExecutionContext, rest: Rest): Promise<unknown> {
    const { principal, id } = context.getArgByIndex<{ principal: Principal; id: string }>(0);
    const presenter = this.presenters.for(principal) as Record<
      typeof name,
      (result: unknown, requestId: string) => object
    >;
    const result = await rest();
    return result instanceof StreamableFile ? result : presenter[name](result, id);
  }
}
