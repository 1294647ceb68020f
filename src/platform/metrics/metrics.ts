import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/**
 * Numbers of this process, counted where things happen: a feature declares its own with `counter` or `histogram` beside the code that counts,
 * and pays an addition. Labels are words of a fixed vocabulary (a route's pattern, a reason, a mail operator's row), never what a caller
 * sends: each combination is a series that is kept for the life of the process.
 */
export const PROCESS_METRICS = new Registry();

interface Counting<Label extends string> {
  /** @param labels all that the metric has, none where it has none */
  inc(labels: Readonly<Record<Label, string>>, by?: number): void;
}

interface Timing<Label extends string> {
  observe(labels: Readonly<Record<Label, string>>, seconds: number): void;
}

/** @param name `mailsonde_…_total` */
export function counter<Label extends string = never>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
): Counting<Label> {
  return new Counter({ name, help, labelNames, registers: [PROCESS_METRICS] });
}

/** @param name `mailsonde_…_seconds` */
export function histogram<Label extends string = never>(
  name: string,
  help: string,
  buckets: readonly number[],
  labelNames: readonly Label[] = [],
): Timing<Label> {
  return new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [PROCESS_METRICS] });
}

/** The numbers of Node itself; once a process. */
export function countProcess(): void {
  if (PROCESS_METRICS.getSingleMetric('process_cpu_user_seconds_total') === undefined)
    collectDefaultMetrics({ register: PROCESS_METRICS });
}
