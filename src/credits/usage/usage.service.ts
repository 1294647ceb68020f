import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS } from '../../lib/durations.js';
import { ownerOf } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { utcDay } from './utc-day.js';
import { type RefusalDay, type UsageColumn, type UsageDay, type UsagePeriod, UsageStore } from './usage.store.js';
import { UsageTally } from './usage-tally.js';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
/** Rows of days read by one statement. */
const DAY_PAGE_SIZE = 500;

/** What one value of the column was charged; refusals are null where a refused request has no such value. */
export interface UsageLine {
  readonly value: string;
  readonly items: number;
  readonly credits: number;
  readonly freeCredits: number;
  readonly refused402: number | null;
  readonly refused429: number | null;
}

export interface Usage {
  readonly period: UsagePeriod;
  readonly by: UsageColumn;
  readonly lines: readonly UsageLine[];
  readonly total: Omit<UsageLine, 'value'>;
}

/** The usage of an account, in its mode. */
@Injectable()
export class UsageService {
  constructor(
    private readonly store: UsageStore,
    private readonly tally: UsageTally,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** @throws AppError `invalid_input` for a period that ends before it begins, or is too long */
  async get(
    principal: Pick<Principal, 'accountId' | 'simulated'>,
    by: UsageColumn,
    asked: Partial<UsagePeriod>,
  ): Promise<Usage> {
    const period = this.periodOf(asked);
    const owner = ownerOf(principal);
    await this.tally.flush();
    const refusedBy = by === 'key' ? 'key' : 'day';
    const [used, refused] = await Promise.all([
      this.store.find(owner, by, period),
      this.store.findRefusals(owner, refusedBy, period),
    ]);
    const counted = new Map(used.map((row) => [row.value, row]));
    const countRefused = (status: number, value: string | null) =>
      sumOf(
        refused.filter((row) => row.status === status && (value === null || row.value === value)),
        ({ refusals }) => refusals,
      );
    const knowsRefused = by === refusedBy;
    const values = new Set([...counted.keys(), ...(knowsRefused ? refused.map(({ value }) => value) : [])]);
    const lines = [...values].sort().map((value) => {
      const { items = 0, credits = 0, freeCredits = 0 } = counted.get(value) ?? {};
      const refused402 = knowsRefused ? countRefused(402, value) : null;
      const refused429 = knowsRefused ? countRefused(429, value) : null;
      return { value, items, credits, freeCredits, refused402, refused429 };
    });
    const total = {
      items: sumOf(lines, ({ items }) => items),
      credits: sumOf(lines, ({ credits }) => credits),
      freeCredits: sumOf(lines, ({ freeCredits }) => freeCredits),
      refused402: countRefused(402, null),
      refused429: countRefused(429, null),
    };
    return { period, by, lines, total };
  }

  /** All that was counted, the oldest day first. */
  async *everyDay(principal: Principal): AsyncGenerator<UsageDay, void> {
    const owner = ownerOf(principal);
    await this.tally.flush();
    yield* everyRow<UsageDay>((last) => this.store.days(owner, last, DAY_PAGE_SIZE));
  }

  /** All requests that were refused for want of credits or for their rate, the oldest day first. */
  everyRefusal(principal: Principal): AsyncGenerator<RefusalDay, void> {
    const owner = ownerOf(principal);
    return everyRow((last) => this.store.refusalDays(owner, last, DAY_PAGE_SIZE));
  }

  private periodOf({ from, to }: Partial<UsagePeriod>): UsagePeriod {
    const last = to === undefined ? utcDay(this.clock.now()).date : to;
    const lastMs = Date.parse(last);
    const first = from ?? utcDay(lastMs - (DEFAULT_DAYS - 1) * DAY_MS).date;
    if (Date.parse(first) > lastMs) throw invalidField('from', 'must not lie after `to`');
    if (lastMs - Date.parse(first) >= MAX_DAYS * DAY_MS)
      throw invalidField('from', `must be at most ${MAX_DAYS} days before \`to\``);
    return { from: first, to: last };
  }
}

/** @param page gives the rows behind the last one of the page before */
async function* everyRow<Row>(page: (last: Row | null) => Promise<Row[]>): AsyncGenerator<Row, void> {
  for (let last: Row | null = null; ;) {
    const rows: Row[] = await page(last);
    yield* rows;
    if (rows.length < DAY_PAGE_SIZE) return;
    last = rows.at(-1)!;
  }
}

function sumOf<Row>(rows: readonly Row[], numberOf: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + numberOf(row), 0);
}
