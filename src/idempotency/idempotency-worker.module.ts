import { Module } from '@nestjs/common';
import { IdempotencyCleanup } from './idempotency-cleanup.js';
import { IdempotencyModule } from './idempotency.module.js';

/** Deletes expired replies. */
@Module({ imports: [IdempotencyModule], providers: [IdempotencyCleanup] })
export class IdempotencyWorkerModule {}
