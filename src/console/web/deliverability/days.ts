import { DAY_MS } from '../parts/values.js';

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

/** A reporter writes which day it is, and a chart of thousands of years would be as long: only the newest days are drawn. */
const MAX_DAYS = 400;

interface Reported {
  readonly begins_at: string;
  readonly messages: number;
  readonly passed: number;
}

export interface ReportedDay {
  /** As `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly passed: number;
  readonly failed: number;
}

/** Messages by the day on which their report begins. */
export function reportedDays(reports: readonly Reported[]): ReportedDay[] {
  return everyDay(
    reports.map(({ begins_at: at, messages, passed }) => ({ day: at.slice(0, 10), passed, failed: messages - passed })),
  );
}

/** What is of one day summed, the oldest first; a day without a report has none. */
export function everyDay(counts: readonly ReportedDay[]): ReportedDay[] {
  const days = new Map<string, { passed: number; failed: number }>();
  for (const { day, passed, failed } of counts) {
    const before = days.get(day) ?? { passed: 0, failed: 0 };
    days.set(day, { passed: before.passed + passed, failed: before.failed + failed });
  }
  const told = [...days.keys()].toSorted();
  if (told.length === 0) return [];
  const last = Date.parse(told.at(-1)!);
  const first = Math.max(Date.parse(told[0]!), last - (MAX_DAYS - 1) * DAY_MS);
  return Array.from({ length: (last - first) / DAY_MS + 1 }, (_, index) => {
    const day = new Date(first + index * DAY_MS).toISOString().slice(0, 10);
    return { day, ...(days.get(day) ?? { passed: 0, failed: 0 }) };
  });
}
