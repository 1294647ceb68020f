import { Injectable } from '@nestjs/common';
import { PlacementMessagesStore } from '../placement-messages.store.js';
import { PlacementTestsStore } from '../placement-tests.store.js';
import { SeedMailboxes } from '../seed-mailboxes.js';

/** Where tests, their messages and their seeds are. */
@Injectable()
export class PlacementStores {
  constructor(
    readonly tests: PlacementTestsStore,
    readonly messages: PlacementMessagesStore,
    readonly seeds: SeedMailboxes,
  ) {}
}
