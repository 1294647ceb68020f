import type { Verification } from '../engine/types.js';

/** A verification as a service gives it: what the engine said, and what it cost. */
export interface VerifiedAddress {
  readonly verification: Verification;
  readonly creditsCharged: number;
  readonly latencyMs: number;
}

/** The credits of a UTC day. */
export interface DailyStanding {
  readonly dailyFreeCredits: number;
  readonly usedToday: number;
  readonly remaining: number;
  readonly resetsAt: Date;
  readonly sharedCapacityAvailable: boolean;
}

/** What can be told, by name: a route names one with `@Present()` and returns its input. */
export interface Presentable {
  readonly verification: VerifiedAddress;
  readonly dailyCredits: DailyStanding;
}

/** One shape of replies; a caller's policy names it. Each method turns a result into the body. */
export type Presenter = { [Name in keyof Presentable]: (result: Presentable[Name], requestId: string) => object };
