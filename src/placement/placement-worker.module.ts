import { Module } from '@nestjs/common';
import { InboundModule } from '../inbound/inbound.module.js';
import { PlacementModule } from './placement.module.js';
import { SeedLooksService } from './seeds/seed-looks.service.js';
import { SeedPoller } from './seeds/seed-poller.js';
import { PlacementLoop } from './placement-loop.js';
import { PlacementWorkService } from './placement-work.service.js';
import { TestMail } from './test-mail.js';
import { DemoScenariosService } from './demo-scenarios.service.js';

/** Takes the mail of placement tests, and looks at those that are due, and into seed mailboxes. */
@Module({
  imports: [InboundModule, PlacementModule],
  providers: [PlacementLoop, PlacementWorkService, TestMail, DemoScenariosService, SeedLooksService, SeedPoller],
})
export class PlacementWorkerModule {}
