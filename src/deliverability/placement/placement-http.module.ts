import { Module } from '@nestjs/common';
import { InboundModule } from '../inbound/inbound.module.js';
import { AnalysisService } from './analysis.service.js';
import { PlacementController } from './placement.controller.js';
import { PlacementModule } from './placement.module.js';
import { SeedsController } from './seeds/seeds.controller.js';
import { PlacementTestsService } from './placement-tests.service.js';
import { CreditsModule } from '../../credits/credits.module.js';

/** The routes of placement tests. */
@Module({
  imports: [CreditsModule, InboundModule, PlacementModule],
  controllers: [SeedsController, PlacementController],
  providers: [AnalysisService, PlacementTestsService],
})
export class PlacementHttpModule {}
