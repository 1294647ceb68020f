import { DAY_MS } from '../../lib/durations.js';
import { invalidField } from '../../platform/errors/app-error.js';

/** The period without a `from`: as long as most look back. */
const DEFAULT_DAYS = 30;
/** The longest that one answer counts, as long as any plan keeps reports. */
const MAX_DAYS = 400;

export interface AskedPeriod {
  /** Days (UTC), both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The most entries that are answered. */
  readonly limit?: number | undefined;
}

export interface ReportedPeriod {
  readonly from: Date;
  /** Excluded. */
  readonly to: Date;
}

/** @throws AppError `invalid_input` */
export function reportedPeriod(asked: AskedPeriod, now: number): ReportedPeriod {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const to = (asked.to === undefined ? today : Date.parse(asked.to)) + DAY_MS;
  const from = asked.from === undefined ? to - DEFAULT_DAYS * DAY_MS : Date.parse(asked.from);
  if (from >= to) throw invalidField('from', 'must not lie after `to`');
  if (to - from > MAX_DAYS * DAY_MS) throw invalidField('from', `must be at most ${MAX_DAYS} days before \`to\``);
  return { from: new Date(from), to: new Date(to) };
}
