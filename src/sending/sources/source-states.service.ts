import { Inject, Injectable } from '@nestjs/common';
import type { EgressSource } from '../../engine/ports.js';
import { recipientsOfDay } from '../../engine/smtp/connect/warm-up.js';
import { EGRESS_SOURCES } from '../egress/egress.module.js';
import type { EgressSources } from '../egress/egress-sources.js';
import { SourceConditionsService, type TakenOutSource } from '../egress/source-conditions.service.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { type CountedRefusals, SourceRefusalsService } from './source-refusals.service.js';
import { type SeenSource, SourceReportsService } from './watch/source-reports.service.js';
import { SourceWatch } from './watch/source-watch.service.js';
import type { WatchedState } from './watch/watch.store.js';

/** All that is known of a source over all processes. */
export interface SourceState extends WatchedState {
  /** Null: no administrator has taken it out. */
  readonly stop: TakenOutSource | null;
  /** One for each process that uses it. */
  readonly seen: readonly SeenSource[];
  /** Of the last 24 hours, by operator and kind. */
  readonly refusals: readonly CountedRefusals[];
}

const NOTHING_KNOWN: WatchedState = { checks: [], listings: [], rest: null };

/** Our own sending addresses: what is known of them, and whether they may ask. */
@Injectable()
export class SourceStates {
  constructor(
    private readonly conditions: SourceConditionsService,
    private readonly reports: SourceReportsService,
    private readonly refusals: SourceRefusalsService,
    private readonly watch: SourceWatch,
    @Inject(EGRESS_SOURCES) private readonly configured: EgressSources,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** All of the configuration, in its order. */
  get sources(): readonly EgressSource[] {
    return this.configured.all;
  }

  /** @returns the state by the name of a source */
  async all(): Promise<(source: string) => SourceState> {
    const [stops, seen, refusals, watched] = await Promise.all([
      this.conditions.list(),
      this.reports.list(this.clock.date()),
      this.refusals.list(this.clock.date()),
      this.watch.known(),
    ]);
    return (name) => ({
      ...(watched.get(name) ?? NOTHING_KNOWN),
      stop: stops.find(({ source }) => source === name) ?? null,
      seen: seen.filter(({ source }) => source === name),
      refusals: refusals.filter(({ source }) => source === name),
    });
  }

  /** The recipients that it may name to each mail operator today while it is warmed up; null: as many as it likes. */
  recipientsToday({ since }: EgressSource): number | null {
    const { warmUp } = this.configured;
    return warmUp === undefined ? null : recipientsOfDay(warmUp, since, this.clock.now());
  }

  /** The same at operators with a pace of their own, by name; those where it may name as many as it likes are missing. */
  recipientsTodayAt({ since }: EgressSource): ReadonlyMap<string, number> {
    const own = Object.entries(this.configured.warmUp?.operators ?? {});
    const today = own.map(([name, pace]) => [name, recipientsOfDay(pace, since, this.clock.now())] as const);
    return new Map(today.filter((one): one is [string, number] => one[1] !== null));
  }

  look(source: EgressSource): Promise<void> {
    return this.watch.lookAt(source);
  }
}
