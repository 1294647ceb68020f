import { DAY_MS } from '../../parts/figures.js';

/** The service wants a time: this one nobody waits for. */
export const FOREVER = '9999-12-31T00:00:00.000Z';

export const isForever = (at: string): boolean => Date.parse(at) >= Date.parse(FOREVER);

export const daysAhead = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

/** When a day is over where the reader is. @param day as `YYYY-MM-DD` */
export function endOfDay(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  return new Date(year!, month! - 1, date! + 1).toISOString();
}

/** Where the reader is, as `YYYY-MM-DD`. */
export function tomorrow(): string {
  const now = new Date();
  const next = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 12);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${next.getFullYear()}-${two(next.getMonth() + 1)}-${two(next.getDate())}`;
}
