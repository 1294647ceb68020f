import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DAY_MS } from '../../lib/durations.js';
import type { Owner } from '../../keys/access/owner.js';

/** Where a seed has found the mail; `seed_error`: we could not look, so it counts nowhere. */
export const PLACEMENTS = ['inbox', 'tab', 'spam', 'other_folder', 'missing', 'pending', 'seed_error'] as const;

export type Placement = (typeof PLACEMENTS)[number];

/** What one mailbox tells of a test. */
export interface SeedStatus {
  /** As `config/mail-providers.json` or the operator names it: `gmail`. */
  readonly provider: string;
  readonly placement: Placement;
  /** The tab of a `tab`: `promotions`. */
  readonly tab: string | null;
  readonly arrivedAfterS: number | null;
  /** By what the mail was known for that of the test; null: none was found. */
  readonly matchedBy: 'recipient' | 'header' | 'subject' | 'body' | 'message_id' | 'from_and_subject' | null;
  /** What the provider's own servers say of the mail; null: they say nothing. */
  readonly authentication: Readonly<Record<'spf' | 'dkim' | 'dmarc', string | null>> | null;
}

export type PlacementCounts = Readonly<Record<'measured' | Placement, number>>;

export interface ProviderPlacement extends PlacementCounts {
  readonly provider: string;
  readonly seeds: readonly SeedStatus[];
}

export interface SeedPlacement extends PlacementCounts {
  readonly providers: readonly ProviderPlacement[];
}

/** What all seeds of a test tell together; measured is what has an outcome: neither `pending` nor an error of ours. */
export function placementOf(seeds: readonly SeedStatus[]): SeedPlacement {
  const providers = [...new Set(seeds.map(({ provider }) => provider))].toSorted();
  return {
    ...countsOf(seeds),
    providers: providers.map((provider) => {
      const own = seeds.filter((seed) => seed.provider === provider);
      return { provider, ...countsOf(own), seeds: own };
    }),
  };
}

function countsOf(seeds: readonly SeedStatus[]): PlacementCounts {
  const count = (wanted: Placement) => seeds.filter(({ placement }) => placement === wanted).length;
  const counts = Object.fromEntries(PLACEMENTS.map((one) => [one, count(one)])) as Record<Placement, number>;
  return { measured: seeds.length - counts.pending - counts.seed_error, ...counts };
}

/**
 * The life of a test: it waits for its mail, receives (the own copy is judged, seeds are looked at), and ends in one of three ways.
 * `expired`: nothing came; `cancelled`: its account did not want to wait.
 */
export const TEST_STATES = ['waiting', 'receiving', 'completed', 'expired', 'cancelled'] as const;

export type TestState = (typeof TEST_STATES)[number];

/** The mailboxes that a test wants: all that work, none, or those of some providers. */
export type SeedSelection = 'all' | 'none' | readonly string[];

export interface PlacementTest extends Owner {
  readonly id: number;
  /** Of the key that made it. */
  readonly keyId: string;
  readonly token: string;
  readonly name: string | null;
  readonly seeds: SeedSelection;
  /** The mail world that plays it, in test mode; null: a mail is waited for. */
  readonly world: string | null;
  readonly state: TestState;
  readonly reservationId: string | null;
  readonly creditsReserved: number;
  readonly creditsCharged: number;
  readonly settleMinutes: number;
  readonly messages: number;
  readonly attempts: number;
  /** As it is answered; null: not yet, or it could not be made. */
  readonly report: object | null;
  /** What the seeds told at the end; null: not yet, or the test has none. */
  readonly placement: SeedPlacement | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly firstArrivalAt: Date | null;
  readonly settledAt: Date | null;
}

/** What stands before the dash of the address of a test. */
export const TEST_PREFIX = 'test';

/** 80 bits in base32. */
export const TOKEN = /^[a-z2-7]{16}$/;

/** So long tests are kept, and their messages. */
export const TEST_RETENTION_MS = 90 * DAY_MS;
export const MESSAGE_RETENTION_MS = 7 * DAY_MS;

/** When seeds are looked at no more. */
export function settlesAt({
  firstArrivalAt,
  settleMinutes,
}: Pick<PlacementTest, 'firstArrivalAt' | 'settleMinutes'>): Date | null {
  return firstArrivalAt && new Date(firstArrivalAt.getTime() + settleMinutes * 60_000);
}

/** What the seeds of a test have told so far. */
export interface SeedsSeen {
  readonly seeds: readonly SeedStatus[];
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
