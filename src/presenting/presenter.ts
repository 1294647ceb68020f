import { snakeRow } from '../lib/snake-case.js';
import type { Finding } from '../engine/finder/finding.js';
import type { Verification } from '../engine/types.js';

/** A verification as a service gives it: the engine's verdict, and its cost. */
export interface VerifiedAddress {
  readonly verification: Verification;
  readonly creditsCharged: number;
  readonly latencyMs: number;
  /** Left out for accounts that do not want to know. */
  readonly suppressed?: boolean;
  /** A row of a batch that still runs and has no answer for it. */
  readonly isPending?: true;
  /** The search that this verification ended, in a batch of people; it is presented instead. */
  readonly found?: { readonly finding: Finding; readonly domain: string };
}

export interface DailyStatus {
  readonly source: 'daily';
  readonly dailyFreeCredits: number;
  /** Charged, without what is reserved. */
  readonly usedToday: number;
  /** Free credits held for work that still runs. */
  readonly reserved: number;
  /** Free credits that may be spent now, and paid ones. */
  readonly remaining: number;
  /** The paid ones, of the account that has claimed the agent; null when nobody has. */
  readonly paidRemaining: number | null;
  readonly resetsAt: Date;
  /** Whether all agents together have left at least one of the day's credits. */
  readonly sharedCapacityAvailable: boolean;
}

export interface BalanceStatus {
  readonly source: 'balance';
  readonly plan: string;
  /** The credits that may be spent now, without the reserved ones. */
  readonly remaining: number;
  readonly reserved: number;
  readonly usedTotal: number;
  /** The free credits that the plan gave when the account was made. */
  readonly freeGranted: number;
  readonly low: boolean;
}

export type CreditStatus = DailyStatus | BalanceStatus;

/** The name of the decoration of a route that says which of them it returns. */
export const PRESENTED = 'presented';

/** The inputs that presenters turn into bodies, by name: a route names one with `@Present()` and returns its input. */
export interface Presentable {
  readonly verification: VerifiedAddress;
  readonly credits: CreditStatus;
  /** One of many verifications, without an envelope of its own. */
  readonly row: VerifiedAddress;
  /** One of many verifications as a row of a CSV, which has every member that a customer may choose as a column. */
  readonly cells: VerifiedAddress;
  /** A body that has the same members in both shapes. */
  readonly body: object;
}

/** One shape of replies; a caller's policy names it. Each method turns a result into the body. */
export type Presenter = { [Name in keyof Presentable]: (result: Presentable[Name], requestId: string) => object } & {
  /** The result columns behind a customer's own when nobody chose others; null: a file never has the customer's layout. */
  readonly ownLayoutColumns: readonly string[] | null;
};

/** A caller's credits as both shapes show them: of the day or of the balance. */
export function creditsBody(status: Presentable['credits']): object {
  if (status.source === 'daily') {
    const { dailyFreeCredits, usedToday, reserved, remaining, paidRemaining, resetsAt, sharedCapacityAvailable } =
      status;
    const paid = paidRemaining !== null && { paidRemaining };
    return snakeRow({ dailyFreeCredits, usedToday, reserved, remaining, ...paid, resetsAt, sharedCapacityAvailable });
  }
  const { plan, remaining, reserved, usedTotal, freeGranted, low } = status;
  return snakeRow({ plan, remaining, reserved, usedTotal, freeGranted, low });
}
