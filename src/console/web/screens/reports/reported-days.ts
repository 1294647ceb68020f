import { DAY_MS } from '../../parts/figures.js';

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
