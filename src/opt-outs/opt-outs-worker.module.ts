import { Module } from '@nestjs/common';
import { OptOutsCleanup } from './opt-outs-cleanup.js';
import { OptOutsModule } from './opt-outs.module.js';

/** Deletes opt-outs that have ended. */
@Module({ imports: [OptOutsModule], providers: [OptOutsCleanup] })
export class OptOutsWorkerModule {}
