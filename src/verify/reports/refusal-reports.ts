import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DAY_MS } from '../../lib/durations.js';
import { Periodic } from '../../lib/periodic.js';
import type { Refusal } from '../../engine/verification/engine.js';
import { refusalText } from '../../engine/smtp/reply/evidence-text.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import type { RefusalKind } from '../../sources/refusal-kind.js';
import { SourceRefusalsService } from '../../sources/source-refusals.service.js';
import { OTHER, OperatorLabels } from '../metrics/operator-labels.js';
import { refusalKind } from '../metrics/refusal-kind.js';

const EVERY_MS = 5_000;
/** Operators without a row that are told by name in a day, so that a list of hostile domains does not fill the table. */
const MAX_UNKNOWN_OPERATORS = 500;

interface Count {
  refusals: number;
  last: Refusal;
  at: number;
}

/** Counts what mail operators refuse our sources by kind, and tells it to administrators with the last text of each. */
@Injectable()
export class RefusalReports implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(RefusalReports.name);
  private readonly periodic: Periodic;
  private counts = new Map<string, Count & { readonly operator: string; readonly kind: RefusalKind }>();
  private readonly unknown = new Set<string>();
  private day = 0;

  constructor(
    private readonly labels: OperatorLabels,
    private readonly refusals: SourceRefusalsService,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    this.periodic = new Periodic(() => this.run(), {
      everyMs: EVERY_MS,
      firstAfterMs: EVERY_MS,
      timer,
      onError: (error) => this.logger.warn(`refusals were not told: ${(error as Error).message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.periodic.stop();
    // Where the database is gone, so are the last seconds.
    await this.run().catch(() => undefined);
  }

  record(refusal: Refusal): void {
    const kind = refusalKind(refusal.about);
    if (kind === null) return;
    const operator = this.nameOf(refusal.operator);
    const key = `${kind} ${refusal.source} ${operator}`;
    const count = this.counts.get(key);
    const at = this.clock.now();
    if (count === undefined) this.counts.set(key, { operator, kind, refusals: 1, last: refusal, at });
    else {
      count.refusals += 1;
      count.last = refusal;
      count.at = at;
    }
  }

  /** Tells what was counted since it was told; what could not be told is told the next time. */
  async run(): Promise<void> {
    if (this.counts.size === 0) return;
    const counts = this.counts;
    this.counts = new Map();
    const told = [...counts.values()].map(({ operator, kind, refusals, last, at }) => ({
      operator,
      source: last.source,
      kind,
      refusals,
      lastReply: last.reply.enhanced === null ? String(last.reply.code) : `${last.reply.code} ${last.reply.enhanced}`,
      lastText: refusalText(last.reply.text, last.recipient),
      lastAt: new Date(at),
    }));
    try {
      await this.refusals.add(told, new Date(this.clock.now()));
    } catch (error) {
      for (const [key, count] of counts) {
        const newer = this.counts.get(key);
        if (newer === undefined) this.counts.set(key, count);
        else newer.refusals += count.refusals;
      }
      throw error;
    }
  }

  private nameOf(operator: string): string {
    if (this.labels.of(operator) !== OTHER) return operator;
    const day = Math.floor(this.clock.now() / DAY_MS);
    if (day !== this.day) this.unknown.clear();
    this.day = day;
    if (this.unknown.has(operator)) return operator;
    if (this.unknown.size >= MAX_UNKNOWN_OPERATORS) return OTHER;
    this.unknown.add(operator);
    return operator;
  }
}
