import { Module } from '@nestjs/common';
import { ReuseCleanup } from './reuse-cleanup.js';
import { ReuseModule } from './reuse.module.js';

/** Deletes what is too old to be given again. */
@Module({ imports: [ReuseModule], providers: [ReuseCleanup] })
export class ReuseWorkerModule {}
