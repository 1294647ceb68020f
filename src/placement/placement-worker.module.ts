import { Module } from '@nestjs/common';
import { InboundModule } from '../inbound/inbound.module.js';
import { PlacementModule } from './placement.module.js';
import { SEED_WORKERS } from './seeds/seed-poller.js';
import { PlacementLoop } from './placement-loop.js';
import { PlacementWork } from './placement-work.service.js';
import { TestMail } from './test-mail.js';
import { WorldWork } from './demo-scenarios.service.js';

/** Takes the mail of placement tests, and looks at those that are due, and into seed mailboxes. */
@Module({
  imports: [InboundModule, PlacementModule],
  providers: [PlacementLoop, PlacementWork, TestMail, WorldWork, ...SEED_WORKERS],
})
export class PlacementWorkerModule {}
