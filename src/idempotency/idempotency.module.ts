import { Module } from '@nestjs/common';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotencyService } from './idempotency.service.js';
import { IdempotencyStore } from './idempotency.store.js';
import { StoredReplyErasure } from './stored-reply.js';

const services = [IdempotencyInterceptor, IdempotencyService, IdempotencyStore, StoredReplyErasure];

/** Requests that may be repeated without being done twice. */
@Module({ providers: services, exports: services })
export class IdempotencyModule {}
