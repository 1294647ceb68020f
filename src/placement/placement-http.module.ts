import { Module } from '@nestjs/common';
import { InboundModule } from '../inbound/inbound.module.js';
import { AnalysisService } from './analysis/analysis.service.js';
import { PlacementController } from './placement.controller.js';
import { PlacementModule } from './placement.module.js';
import { PlacementTestsService } from './tests/placement-tests.service.js';
import { CreditsModule } from '../credits/credits.module.js';

/** The routes of placement tests. */
@Module({
  imports: [CreditsModule, InboundModule, PlacementModule],
  controllers: [PlacementController],
  providers: [AnalysisService, PlacementTestsService],
})
export class PlacementHttpModule {}
