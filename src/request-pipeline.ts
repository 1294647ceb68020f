import { type Provider, type ArgumentsHost, Catch } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor.js';
import { AccessGuard } from './keys/access/access.guard.js';
import { InTurnInterceptor } from './keys/limits/account-turns.js';
import { InFlightInterceptor, RateLimitGuard } from './keys/limits/rate-limit.guard.js';
import { ErrorFilter } from './platform/http/error.filter.js';
import { DrainInterceptor } from './platform/health/drain.js';
import { HeadOfFileInterceptor } from './platform/http/table-file.js';
import { InputPipe, KnownInputInterceptor } from './platform/http/input-checks.js';
import { PresentInterceptor } from './presenting/present.interceptor.js';
import type { CallerRequest } from './keys/access/caller.js';
import { AppError } from './platform/errors/app-error.js';
import { UsageTally } from './credits/usage/usage-tally.js';

/** Counts the refusals that usage tells of, and answers as all errors are answered. */
@Catch(AppError)
export class RefusalFilter extends ErrorFilter {
  constructor(private readonly tally: UsageTally) {
    super();
  }

  override catch(error: AppError, host: ArgumentsHost): void {
    const { principal = null } = host.switchToHttp().getRequest<CallerRequest>();
    this.tally.addRefusalOf(principal, error.code);
    // oxlint-disable-next-line promise/valid-params, promise/no-promise-in-callback -- Nest's name for what a filter does
    super.catch(error, host);
  }
}

/** Providers that the edge needs for every controller. */
export const EDGE_PIPELINE: readonly Provider[] = [
  { provide: APP_INTERCEPTOR, useClass: DrainInterceptor },
  { provide: APP_INTERCEPTOR, useClass: HeadOfFileInterceptor },
  { provide: APP_PIPE, useClass: InputPipe },
  { provide: APP_FILTER, useClass: ErrorFilter },
];

/**
 * The parts that Nest runs for each request, in their order: guards, interceptors, pipes, the handler; then the interceptors from
 * the last to the first, and the filter for errors of every part.
 */
export const REQUEST_PIPELINE: readonly Provider[] = [
  // The first guard decides who is calling and whether they may, the second how often.
  { provide: APP_GUARD, useExisting: AccessGuard },
  { provide: APP_GUARD, useExisting: RateLimitGuard },
  // The first interceptor is the outermost: it releases the request's permit when all the others are done.
  { provide: APP_INTERCEPTOR, useExisting: InFlightInterceptor },
  { provide: APP_INTERCEPTOR, useExisting: IdempotencyInterceptor },
  { provide: APP_INTERCEPTOR, useExisting: PresentInterceptor },
  { provide: APP_INTERCEPTOR, useClass: KnownInputInterceptor },
  // Within the others, so that a request that they refuse waits for no turn.
  { provide: APP_INTERCEPTOR, useClass: InTurnInterceptor },
  ...EDGE_PIPELINE,
  // The last filter is asked first, for the errors that it names.
  { provide: APP_FILTER, useClass: RefusalFilter },
];
