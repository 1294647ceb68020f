import { Module } from '@nestjs/common';
import { SourceGauges } from './source-gauges.js';
import { SourcesModule } from './sources.module.js';
import { NewSourceChecks, SourceWatchLoop } from './watch/source-watch-loop.js';

/** Looks at our own sending addresses again and again. */
@Module({ imports: [SourcesModule], providers: [NewSourceChecks, SourceGauges, SourceWatchLoop] })
export class SourcesWorkerModule {}
