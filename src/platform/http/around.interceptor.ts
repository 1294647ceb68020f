import type { CallHandler, ExecutionContext, NestInterceptor, Type } from '@nestjs/common';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer.js';
import { from, lastValueFrom, type Observable } from 'rxjs';

/** The rest of a request's way: further interceptors, pipes, the handler. */
export type Rest = () => Promise<unknown>;

/**
 * An interceptor whose work is a promise around another. Nest runs interceptors as observables within observables, which cost more than
 * all of a short request; where all interceptors of a route are of this kind, `runAroundAsPromises` makes a plain call of each.
 *
 * Guards and interceptors take the request by `getArgByIndex(0)`, as `switchToHttp()` makes an object with three functions each time.
 */
export abstract class AroundInterceptor implements NestInterceptor {
  /** May throw as well as reject. */
  abstract around(context: ExecutionContext, rest: Rest): Promise<unknown>;

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return from(this.around(context, () => lastValueFrom(next.handle(), { defaultValue: undefined })));
  }
}

type Intercept = InterceptorsConsumer['intercept'];

/**
 * Replaces the one method by which Nest (12.5, `interceptors-consumer.ts`) runs a route's interceptors, since it has no way to give it
 * another. Without the replacement, or with an interceptor of another kind, everything works as before, only slower.
 */
export function runAroundAsPromises(consumer: Type<InterceptorsConsumer> = InterceptorsConsumer): void {
  const prototype = consumer.prototype as { intercept: Intercept };
  const { intercept } = prototype;
  if (replaced.has(intercept)) return;
  const replacement = function (this: InterceptorsConsumer, ...asked: Parameters<Intercept>): ReturnType<Intercept> {
    const [interceptors, args, instance, callback, next, type] = asked;
    if (interceptors.length === 0) return next();
    if (!areAround(interceptors)) return intercept.apply(this, asked);
    const context = this.createContext(args, instance, callback);
    if (type !== undefined) context.setType(type);
    return restFrom(0, interceptors, context, next)();
  };
  replaced.add(replacement);
  prototype.intercept = replacement;
}

const replaced = new WeakSet<Intercept>();

function areAround(interceptors: readonly NestInterceptor[]): interceptors is readonly AroundInterceptor[] {
  for (const one of interceptors) if (!(one instanceof AroundInterceptor)) return false;
  return true;
}

function restFrom(at: number, all: readonly AroundInterceptor[], context: ExecutionContext, handle: Rest): Rest {
  const one = all[at];
  if (one === undefined) return handle;
  return () => {
    try {
      return one.around(context, restFrom(at + 1, all, context, handle));
    } catch (error) {
      return Promise.reject(error);
    }
  };
}
