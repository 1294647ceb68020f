import { Module } from '@nestjs/common';
import { BatchModule } from '../batch/batch.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { ReuseModule } from '../reuse/reuse.module.js';
import { Corrections } from './corrections.service.js';
import { LieWatch } from './lie-watch.js';

/** Takes back what turned out to be false. */
@Module({ imports: [BatchModule, CreditsModule, ReuseModule], providers: [Corrections, LieWatch] })
export class CorrectionsModule {}
