import type { Finding } from '../engine/finder/finding.js';
import type { Verification } from '../engine/types.js';

/** A verification as a service gives it: what the engine said, and what it cost. */
export interface VerifiedAddress {
  readonly verification: Verification;
  readonly creditsCharged: number;
  readonly latencyMs: number;
  /** Left out for accounts that do not want to hear it. */
  readonly suppressed?: boolean;
  /** In a batch of people: the search that it ended, which is told instead. */
  readonly found?: { readonly finding: Finding; readonly domain: string };
}

/** The credits of a UTC day. */
export interface DailyStanding {
  readonly source: 'daily';
  readonly dailyFreeCredits: number;
  readonly usedToday: number;
  readonly remaining: number;
  readonly resetsAt: Date;
  readonly sharedCapacityAvailable: boolean;
}

/** The credits of a full account. */
export interface BalanceStanding {
  readonly source: 'balance';
  readonly plan: string;
  readonly remaining: number;
  readonly reserved: number;
  readonly usedTotal: number;
  readonly freeGranted: number;
  readonly low: boolean;
}

/** What can be told, by name: a route names one with `@Present()` and returns its input. */
export interface Presentable {
  readonly verification: VerifiedAddress;
  readonly credits: DailyStanding | BalanceStanding;
  /** One of many verifications, without an envelope of its own. */
  readonly row: VerifiedAddress;
  /** What both shapes tell with the same members. */
  readonly body: object;
}

/** One shape of replies; a caller's policy names it. Each method turns a result into the body. */
export type Presenter = { [Name in keyof Presentable]: (result: Presentable[Name], requestId: string) => object };
