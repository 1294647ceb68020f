import type { CreditStatus } from '../credits/credit-source.js';
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
