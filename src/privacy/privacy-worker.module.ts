import { Module } from '@nestjs/common';
import { ErasureSweep } from './erasure-work.js';
import { PrivacyModule } from './privacy.module.js';

/** Erases what was ordered to be erased. */
@Module({ imports: [PrivacyModule], providers: [ErasureSweep] })
export class PrivacyWorkerModule {}
