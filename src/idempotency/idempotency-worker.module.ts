import { Module } from '@nestjs/common';
import { periodically } from '../platform/periodic-job.js';
import { IdempotencyModule } from './idempotency.module.js';
import { IdempotencyService } from './idempotency.service.js';

const EVERY_MS = 5_000;

/** Deletes expired replies, at start and then again and again. */
@Module({
  imports: [IdempotencyModule],
  providers: [periodically(IdempotencyService, 'deleteExpired', EVERY_MS, 'old replies were not deleted')],
})
export class IdempotencyWorkerModule {}
