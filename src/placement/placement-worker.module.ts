import { Module } from '@nestjs/common';
import { PlacementModule } from './placement.module.js';
import { SEED_WORKERS } from './seeds/worker/seed-workers.js';

/** Looks into seed mailboxes. */
@Module({ imports: [PlacementModule], providers: SEED_WORKERS })
export class PlacementWorkerModule {}
