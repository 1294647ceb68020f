import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PlacementTest } from './placement-test.js';
import type { SeedStanding } from './seed-placement.js';

/** What the seeds of a test have told so far. */
export interface SeedsSeen {
  readonly seeds: readonly SeedStanding[];
  /** Every seed has its last word: nobody needs to wait any longer. */
  readonly isSettled: boolean;
}

/** Mailboxes at mail operators, whoever looks into them. */
export interface SeedSource {
  /** Whether any mailbox of those wanted could be used now; nothing is written. */
  isUsable(wanted: PlacementTest['seeds']): Promise<boolean>;
  /** Writes down the seeds of a test, in the transaction that creates it. @returns their addresses; none: the test is one without seeds */
  assign(tx: EntityManager, test: PlacementTest): Promise<readonly string[]>;
  /** The addresses of a test, as `assign` gave them. */
  addressesOf(testId: number): Promise<readonly string[]>;
  /** Reads what is known of a test; looking into mailboxes is the source's own work, in its own time. */
  seen(test: PlacementTest): Promise<SeedsSeen>;
}

const NO_SEEDS: SeedSource = {
  isUsable: () => Promise.resolve(false),
  assign: () => Promise.resolve([]),
  addressesOf: () => Promise.resolve([]),
  seen: () => Promise.resolve({ seeds: [], isSettled: true }),
};

/** The one place by which tests know seeds. Without a registered source there are none, and tests are of our own copy alone. */
@Injectable()
export class SeedMailboxes {
  #source = NO_SEEDS;

  /** @param source a provider registers itself when it is made, in each process that has it */
  register(source: SeedSource): void {
    this.#source = source;
  }

  get source(): SeedSource {
    return this.#source;
  }
}
