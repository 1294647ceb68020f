import { Module } from '@nestjs/common';
import { InboundModule } from '../inbound/inbound.module.js';
import { PlacementModule } from './placement.module.js';
import { PlacementLoop } from './work/placement-loop.js';
import { PlacementWork } from './work/placement-work.service.js';
import { TestMail } from './work/test-mail.js';
import { WorldWork } from './worlds/world-work.service.js';

/** Takes the mail of placement tests, and looks at those that are due. */
@Module({
  imports: [InboundModule, PlacementModule],
  providers: [PlacementLoop, PlacementWork, TestMail, WorldWork],
})
export class PlacementWorkerModule {}
