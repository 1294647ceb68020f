import { Module } from '@nestjs/common';
import { BlacklistsModule } from '../blacklists/blacklists.module.js';
import { CreditsModule } from '../../credits/credits.module.js';
import { InboundModule } from '../inbound/inbound.module.js';
import { ReportMakerService } from './report/report-maker.service.js';
import { SeedMailboxes } from './placement-test.js';
import { ArrivalsStore } from './seeds/arrivals.store.js';
import { PlacementAdministrationModule } from './placement-administration.module.js';
import { SeedsService } from './seeds/seeds.service.js';
import { PlacementTestHistoryService } from './placement-test-history.service.js';
import { TestSettlementService } from './test-settlement.service.js';

const services = [
  ArrivalsStore,
  PlacementTestHistoryService,
  ReportMakerService,
  SeedMailboxes,
  SeedsService,
  TestSettlementService,
];

/** Placement tests, their messages and reports, and the place by which they know seeds. */
@Module({
  imports: [BlacklistsModule, CreditsModule, InboundModule, PlacementAdministrationModule],
  providers: services,
  exports: [...services, PlacementAdministrationModule],
})
export class PlacementModule {}
