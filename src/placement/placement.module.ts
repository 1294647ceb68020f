import { Module } from '@nestjs/common';
import { PlacementMessagesStore } from './placement-messages.store.js';
import { PlacementTestsStore } from './placement-tests.store.js';
import { SeedMailboxes } from './seed-mailboxes.js';
import { SEED_SERVICES } from './seeds/seed-services.js';

/** Placement tests, their messages, and the place by which they know seeds. */
@Module({
  providers: [PlacementMessagesStore, PlacementTestsStore, SeedMailboxes, ...SEED_SERVICES],
  exports: [PlacementMessagesStore, PlacementTestsStore, SeedMailboxes, ...SEED_SERVICES],
})
export class PlacementModule {}
