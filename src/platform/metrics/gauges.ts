import { Inject, Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { CLOCK, TIMER, type Timer, type WallClock } from '../clock.js';
import { counter } from './metrics.js';

/** The time that a gauge has to be read: a scrape must end although PostgreSQL or Redis hangs. */
const READ_WITHIN_MS = 2_000;
/** What the database says is not asked again so soon, however often the port is scraped. */
const CACHED_MS = 5_000;

/** A number with the values of the labels, in their order. */
type Sample = readonly [value: number, ...labels: string[]];

/** One number, or one for each combination of labels; null: it is not known. */
type Reading = number | null | readonly Sample[];

interface GaugeOptions {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** Read at a scrape, never otherwise. */
  readonly read: () => Reading | Promise<Reading>;
}

/** For how many seconds something waits; 0: nothing does. */
export function secondsSince(since: Date | null, now: number): number {
  return since === null ? 0 : Math.max(0, now - since.getTime()) / 1000;
}

const failures = counter(
  'mailsonde_gauge_failures_total',
  'Reads of a gauge that failed or took too long; the gauge is missing from that scrape.',
  ['gauge'],
);

/**
 * Numbers that are states: feature modules add them when they are made, and they are read when the port of metrics is scraped. A read that fails or
 * is late leaves the gauge out, because an old number would look like a present one.
 */
@Injectable()
export class Gauges {
  private readonly registry = new Registry();

  constructor(
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) private readonly timer: Timer,
  ) {}

  /** A state of this process: its read is cheap. */
  addLocal(options: GaugeOptions): void {
    this.add(options, () => this.bounded(options));
  }

  /** A state that PostgreSQL or Redis knows: read by one scrape at a time, and kept for some seconds. */
  addShared(options: GaugeOptions): void {
    let kept: { readonly at: number; readonly samples: Promise<readonly Sample[]> } | null = null;
    this.add(options, () => {
      const now = this.clock.now();
      if (kept === null || Math.abs(now - kept.at) >= CACHED_MS) kept = { at: now, samples: this.bounded(options) };
      return kept.samples;
    });
  }

  /** The gauges as Prometheus reads them. Never rejects. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  private add({ name, help, labels = [] }: GaugeOptions, read: () => Promise<readonly Sample[]>): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [this.registry],
      collect: async () => {
        const samples = await read();
        gauge.reset();
        // A gauge without labels is 0 after its reset, which nobody has said.
        if (samples.length === 0 && labels.length === 0) gauge.remove();
        for (const [value, ...values] of samples)
          gauge.set(Object.fromEntries(labels.map((label, i) => [label, values[i]!])), value);
      },
    });
  }

  private async bounded({ name, read }: GaugeOptions): Promise<readonly Sample[]> {
    const fail = (): readonly Sample[] => {
      failures.inc({ gauge: name });
      return [];
    };
    let cancel = (): void => {};
    const late = new Promise<'late'>((resolve) => {
      cancel = this.timer.after(READ_WITHIN_MS, () => resolve('late'));
    });
    try {
      const reading = await Promise.race([read(), late]);
      if (reading === 'late') return fail();
      return typeof reading === 'number' ? [[reading]] : (reading ?? []);
    } catch {
      return fail();
    } finally {
      cancel();
    }
  }
}
