import { Module } from '@nestjs/common';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotencyService } from './idempotency.service.js';
import { IdempotencyStore } from './idempotency.store.js';
import { KeptReplyErasure } from './reply-addresses.js';

/** Requests that may be repeated without being done twice. */
@Module({
  providers: [IdempotencyInterceptor, IdempotencyService, IdempotencyStore, KeptReplyErasure],
  exports: [IdempotencyInterceptor, IdempotencyService, IdempotencyStore, KeptReplyErasure],
})
export class IdempotencyModule {}
