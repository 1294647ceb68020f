import { Module } from '@nestjs/common';
import { BlacklistsModule } from '../blacklists/blacklists.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { InboundModule } from '../inbound/inbound.module.js';
import { PlacementMessagesStore, PlacementTestsStore } from './placement-tests.store.js';
import { ReportMaker } from './report/report-maker.service.js';
import { SeedMailboxes } from './placement-test.js';
import { ArrivalsStore } from './seeds/arrivals.store.js';
import { PlacementAdministrationModule } from './placement-administration.module.js';
import { SeedsService } from './seeds/seeds.service.js';
import { KeptPlacementTests } from './placement-test-history.service.js';
import { PlacementStores } from './placement-stores.js';
import { TestSettlement } from './test-settlement.service.js';

/** Placement tests, their messages and reports, and the place by which they know seeds. */
@Module({
  imports: [BlacklistsModule, CreditsModule, InboundModule, PlacementAdministrationModule],
  providers: [
    KeptPlacementTests,
    PlacementMessagesStore,
    PlacementStores,
    PlacementTestsStore,
    ReportMaker,
    SeedMailboxes,
    ArrivalsStore,
    SeedsService,
    TestSettlement,
  ],
  exports: [
    KeptPlacementTests,
    PlacementMessagesStore,
    PlacementStores,
    PlacementTestsStore,
    ReportMaker,
    SeedMailboxes,
    ArrivalsStore,
    PlacementAdministrationModule,
    SeedsService,
    TestSettlement,
  ],
})
export class PlacementModule {}
