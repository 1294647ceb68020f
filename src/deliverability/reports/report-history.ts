import type { DataSource } from 'typeorm';
import { DAY_MS } from '../../lib/durations.js';
import type { Owner } from '../../keys/access/owner.js';
import type { WallClock } from '../../platform/clock.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import type { Listing, Page, PageInput } from '../../platform/http/listing.js';
import type { ReportTable } from './report-settings.js';

/** What a listing goes by. */
interface ReceivedReport {
  readonly id: number;
  readonly received_at: Date;
}

export interface PeriodInput {
  /** Days (UTC), both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The most entries that are answered. */
  readonly limit?: number | undefined;
}

interface ReportedPeriod {
  readonly from: Date;
  /** Excluded. */
  readonly to: Date;
}

export interface SummedPeriod extends ReportedPeriod {
  /** Reports that are not summed up, because newer ones have as many rows as a sum reads. */
  readonly leftOut: number;
}

/** Where reports of a kind stand, and as what each is answered. */
interface ReportKind {
  readonly table: ReportTable;
  /** SQL: the members of its reply, in their order. */
  readonly columns: string;
  readonly listing: Listing;
}

/** The period without a `from`: as long as most look back. */
const DEFAULT_DAYS = 30;
/** The longest that one answer counts, as long as any plan keeps reports. */
const MAX_DAYS = 400;
/**
 * Rows that one sum reads, and those of one report more. The address for reports is public: without a bound, a stranger who writes to it day
 * after day would make each sum of its owner's too slow to be answered.
 */
const MAX_SUMMED_ROWS = 200_000;
/** Sums beyond what JSON's numbers hold exactly are shown as the largest of them. */
export const MAX_COUNT = Number.MAX_SAFE_INTEGER;

/**
 * Reports of one kind, newest first, for whom the monitor belongs to; to others it is `monitor_not_found`. Every statement asks for the account
 * of the monitor, or comes behind one that has asked.
 */
export abstract class ReportHistory<Report extends ReceivedReport> {
  protected constructor(
    protected readonly database: DataSource,
    private readonly clock: WallClock,
    private readonly kind: ReportKind,
  ) {}

  /** Newest first. @throws AppError `monitor_not_found` */
  async list(owner: Owner, monitorId: number, query: PageInput, monitorDays: number): Promise<Page<Report>> {
    await this.checkMonitor(owner, monitorId);
    return await this.page(owner, monitorId, query, new Date(this.clock.now() - monitorDays * DAY_MS));
  }

  /** Of all monitors, for the export. */
  listAll(owner: Owner, query: PageInput): Promise<Page<{ readonly monitor_id: number } & Report>> {
    return this.page(owner, null, query, new Date(0));
  }

  /** The period over which an owner's reports are summed up. @throws AppError `monitor_not_found`, `invalid_input` */
  protected async periodOf(owner: Owner, monitorId: number, input: PeriodInput): Promise<SummedPeriod> {
    await this.checkMonitor(owner, monitorId);
    const { from, to } = reportedPeriod(input, this.clock.now());
    const [{ count }]: [{ count: number }] = await this.database.query(
      `SELECT count(*)::integer AS count FROM ${reportsOfPeriod(this.kind.table)} AS report WHERE NOT is_summed`,
      [monitorId, from, to],
    );
    return { from, to, leftOut: count };
  }

  /** @throws AppError `monitor_not_found` */
  protected async checkMonitor({ accountId, simulated }: Owner, id: number): Promise<void> {
    const rows: unknown[] = await this.database.query(
      'SELECT 1 FROM monitors WHERE id = $1 AND account_id = $2 AND simulated = $3',
      [id, accountId, simulated],
    );
    if (rows.length === 0) throw new AppError('monitor_not_found');
  }

  /** @param monitorId null: of all monitors */
  private page<Row extends Report>(
    { accountId, simulated }: Owner,
    monitorId: number | null,
    query: PageInput,
    since: Date,
  ): Promise<Page<Row>> {
    const { listing, columns, table } = this.kind;
    return listing.page<Row>(
      query,
      ({ limit, after }) =>
        this.database.query(
          `SELECT ${monitorId === null ? 'monitor_id, ' : ''}report.id, ${columns}, received_at
             FROM ${table} AS report JOIN monitors ON monitors.id = monitor_id
            WHERE account_id = $1 AND simulated = $2 AND ($3::bigint IS NULL OR monitor_id = $3) AND received_at >= $4
              AND ($5::timestamptz IS NULL OR (date_trunc('milliseconds', received_at), report.id) < ($5, $6::bigint))
            ORDER BY received_at DESC, report.id DESC LIMIT $7`,
          [accountId, simulated, monitorId, since, after?.at ?? null, after?.id ?? null, limit + 1],
        ),
      ({ received_at: at, id }) => ({ at, id: String(id) }),
    );
  }
}

/** @throws AppError `invalid_input` */
function reportedPeriod(input: PeriodInput, now: number): ReportedPeriod {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const to = (input.to === undefined ? today : Date.parse(input.to)) + DAY_MS;
  const from = input.from === undefined ? to - DEFAULT_DAYS * DAY_MS : Date.parse(input.from);
  if (from >= to) throw invalidField('from', 'must not lie after `to`');
  if (to - from > MAX_DAYS * DAY_MS) throw invalidField('from', `must be at most ${MAX_DAYS} days before \`to\``);
  return { from: new Date(from), to: new Date(to) };
}

/** SQL: the reports of monitor $1 whose period begins within $2 (included) and $3 (excluded), and whether a sum has room for their rows. */
export const reportsOfPeriod = (table: ReportTable): string => `(
  SELECT *, sum(row_count) OVER (ORDER BY begins_at DESC, id DESC ROWS UNBOUNDED PRECEDING) - row_count < ${MAX_SUMMED_ROWS} AS is_summed
    FROM ${table} WHERE monitor_id = $1 AND begins_at >= $2 AND begins_at < $3)`;
