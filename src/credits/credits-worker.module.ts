import { Module } from '@nestjs/common';
import { CreditsCleanup } from './credits-cleanup.js';
import { CreditsModule } from './credits.module.js';

/** Gives back what stopped processes left reserved. */
@Module({ imports: [CreditsModule], providers: [CreditsCleanup] })
export class CreditsWorkerModule {}
