import { Module } from '@nestjs/common';
import { PlacementMessagesStore } from './placement-messages.store.js';
import { PlacementTestsStore } from './placement-tests.store.js';
import { SeedMailboxes } from './seed-mailboxes.js';

/** Placement tests, their messages, and the place by which they know seeds. */
@Module({
  providers: [PlacementMessagesStore, PlacementTestsStore, SeedMailboxes],
  exports: [PlacementMessagesStore, PlacementTestsStore, SeedMailboxes],
})
export class PlacementModule {}
