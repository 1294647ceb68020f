import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Principal } from '../../keys/access/principal.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ERROR_CATALOG, type ErrorCode } from '../../platform/errors/error-catalog.js';
import { utcDay } from './utc-day.js';
import { type FreeWork, type Refusals, UsageStore } from './usage.store.js';
import type { UsedWork, UsageOwner } from './used-work.js';

/** More lines than this are not kept: whoever makes so many has more keys or days than there are. */
const MAX_LINES = 20_000;

/**
 * Counts what costs nothing, in memory: work in test mode, work for which nothing was reserved, and requests that were refused. It is written
 * now and then and when the process stops, so that no refusal is a write; a process that is killed forgets at most the last seconds.
 */
@Injectable()
export class UsageTally implements OnModuleDestroy {
  private readonly logger = new Logger(UsageTally.name);
  private works = new Map<string, FreeWork>();
  private refusals = new Map<string, Refusals>();

  constructor(
    private readonly store: UsageStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  addFree({ accountId, keyId, simulated, endpoint }: UsageOwner, works: readonly UsedWork[]): void {
    const utcDate = this.today();
    for (const { verdict, reason, items } of works) {
      const line = { accountId, utcDate, keyId, simulated, endpoint, verdict, reason };
      count(this.works, Object.values(line).join(' '), { ...line, count: items });
    }
  }

  /** Counts a refusal for want of credits (402) or for the rate (429); does nothing for codes of other statuses. */
  addRefusalOf(principal: Pick<Principal, 'accountId' | 'keyId' | 'simulated'> | null, code: ErrorCode): void {
    const status = ERROR_CATALOG[code][0];
    if ((status !== 402 && status !== 429) || principal === null || principal.accountId === null) return;
    const { accountId, keyId, simulated } = principal;
    const line = { accountId, keyId, simulated, status, code, utcDate: this.today() } as const;
    count(this.refusals, Object.values(line).join(' '), { ...line, count: 1 });
  }

  /** Writes what was counted since the last time. */
  async flush(): Promise<void> {
    const { works, refusals } = this;
    [this.works, this.refusals] = [new Map(), new Map()];
    try {
      if (works.size + refusals.size > 0) await this.store.add([...works.values()], [...refusals.values()]);
    } catch (error) {
      for (const [key, line] of works) count(this.works, key, line);
      for (const [key, line] of refusals) count(this.refusals, key, line);
      throw error;
    }
  }

  onModuleDestroy(): Promise<void> {
    return this.flush().catch((error: Error) => this.logger.warn(`usage is lost: ${error.message}`));
  }

  private today(): string {
    return utcDay(this.clock.now()).date;
  }
}

function count<Line extends { readonly count: number }>(lines: Map<string, Line>, key: string, line: Line): void {
  const known = lines.get(key);
  if (known === undefined && lines.size >= MAX_LINES) return;
  lines.set(key, { ...line, count: line.count + (known?.count ?? 0) });
}
