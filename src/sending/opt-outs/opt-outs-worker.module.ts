import { Module } from '@nestjs/common';
import { OptOutsCleanup } from './opted-out.js';
import { OptOutsModule } from './opt-outs.module.js';

/** Deletes opt-outs that have ended. */
@Module({ imports: [OptOutsModule], providers: [OptOutsCleanup] })
export class OptOutsWorkerModule {}
