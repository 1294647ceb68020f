import { Module } from '@nestjs/common';
import { SourceGauges } from './source-gauges.js';
import { SourcesModule } from './sources.module.js';
import { NewSourceLooks } from './watch/new-source-looks.js';
import { WatchRounds } from './watch/watch-rounds.js';

/** Looks at our own sending addresses again and again. */
@Module({ imports: [SourcesModule], providers: [NewSourceLooks, SourceGauges, WatchRounds] })
export class SourcesWorkerModule {}
