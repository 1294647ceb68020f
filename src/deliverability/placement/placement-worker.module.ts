import { Module } from '@nestjs/common';
import { InboundModule } from '../inbound/inbound.module.js';
import { PlacementModule } from './placement.module.js';
import { SeedReadsService, SeedPoller } from './seeds/seed-poller.js';
import { PlacementLoop, PlacementWorkService } from './placement-loop.js';
import { TestMail } from './test-mail.js';
import { DemoScenariosService } from './demo-scenarios.service.js';

/** Takes the mail of placement tests, and looks at those that are due, and into seed mailboxes. */
@Module({
  imports: [InboundModule, PlacementModule],
  providers: [PlacementLoop, PlacementWorkService, TestMail, DemoScenariosService, SeedReadsService, SeedPoller],
})
export class PlacementWorkerModule {}
