import { DAY_MS } from '../../lib/durations.js';
import { REPORT_SETTINGS } from '../report-settings.js';

/** What becomes of a report that could be read. */
export type Keeping =
  | 'kept'
  /** It came before: it counts once. */
  | 'duplicate'
  /** It is about a domain that is not the monitor's, or a time that cannot be. */
  | 'other_domain'
  | 'other_time'
  /** The domain has taken its share of today. */
  | 'too_many'
  | 'not_proven';

/** The longest that any plan keeps the history of a monitor, about. */
const OLDEST_MS = 400 * DAY_MS;

/** Whether a report can be about its time. */
export function isTimeOfReport({ begin, end }: { readonly begin: Date; readonly end: Date }, at: Date): boolean {
  const now = at.getTime();
  return begin.getTime() <= now + REPORT_SETTINGS.aheadMs && end.getTime() >= now - OLDEST_MS;
}
