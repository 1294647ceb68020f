import { Module } from '@nestjs/common';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotencyService } from './idempotency.service.js';
import { IdempotencyStore } from './idempotency.store.js';

/** Requests that may be repeated without being done twice. */
@Module({
  providers: [IdempotencyInterceptor, IdempotencyService, IdempotencyStore],
  exports: [IdempotencyInterceptor, IdempotencyService, IdempotencyStore],
})
export class IdempotencyModule {}
