import { Injectable } from '@nestjs/common';
import { PlacementMessagesStore, PlacementTestsStore } from './placement-tests.store.js';
import { SeedMailboxes } from './placement-test.js';

/** Where tests, their messages and their seeds are. */
@Injectable()
export class PlacementStores {
  constructor(
    readonly tests: PlacementTestsStore,
    readonly messages: PlacementMessagesStore,
    readonly seeds: SeedMailboxes,
  ) {}
}
