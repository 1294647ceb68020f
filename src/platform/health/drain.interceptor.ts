import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { finalize, type Observable } from 'rxjs';
import { Drain } from './drain.js';

/** Counts the work itself, which goes on after the caller has hung up. */
@Injectable()
export class DrainInterceptor implements NestInterceptor {
  constructor(private readonly drain: Drain) {}

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    this.drain.begin();
    return next.handle().pipe(finalize(() => this.drain.end()));
  }
}
