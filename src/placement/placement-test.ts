import { DAY_MS } from '../lib/durations.js';
import type { Owner } from '../keys/access/owner.js';
import type { SeedPlacement } from './seed-placement.js';

/**
 * The life of a test: it waits for its mail, receives (the own copy is judged, seeds are looked at), and ends in one of three ways.
 * `expired`: nothing came; `cancelled`: its account did not want to wait.
 */
export const TEST_STATES = ['waiting', 'receiving', 'completed', 'expired', 'cancelled'] as const;

export type TestState = (typeof TEST_STATES)[number];

/** The mailboxes that a test wants: all that work, none, or those of some providers. */
export type WantedSeeds = 'all' | 'none' | readonly string[];

export interface PlacementTest extends Owner {
  readonly id: number;
  /** Of the key that made it. */
  readonly keyId: string;
  readonly token: string;
  readonly name: string | null;
  readonly seeds: WantedSeeds;
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
export const TEST_KEPT_MS = 90 * DAY_MS;
export const MESSAGE_KEPT_MS = 7 * DAY_MS;

/** When seeds are looked at no more. */
export function settlesAt({
  firstArrivalAt,
  settleMinutes,
}: Pick<PlacementTest, 'firstArrivalAt' | 'settleMinutes'>): Date | null {
  return firstArrivalAt && new Date(firstArrivalAt.getTime() + settleMinutes * 60_000);
}
