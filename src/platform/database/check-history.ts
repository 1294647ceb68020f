import type { DataSource, EntityManager } from 'typeorm';
import type { WallClock } from '../clock.js';
import { AppError } from '../errors/app-error.js';
import type { ErrorCode } from '../errors/error-catalog.js';
import { readId } from '../http/ids.js';
import { selected } from './rows.js';
import { type PageInput, byCreation, type Listing, type Page } from '../http/listing.js';

/** Rows that an insert deletes at most beside its own. */
const OLD_PAGE_SIZE = 20;

interface CheckRow {
  readonly id: number;
  readonly createdAt: Date;
}

/** An account in one of its modes. */
interface RowOwner {
  readonly accountId: string;
  readonly simulated: boolean;
}

/** Where checks of a kind stand. */
export interface CheckTable<Row> {
  readonly table: string;
  /** The column of each member. */
  readonly columns: Readonly<Record<keyof Row & string, string>>;
  readonly listing: Listing;
  /** So long they are kept. */
  readonly retentionMs: number;
  readonly refusal: ErrorCode;
  /** A column by which a list can be narrowed. */
  readonly filter?: string;
  /** SQL: what an old row must be besides, to be forgotten. */
  readonly forgettable?: string;
}

/** Checks that accounts have made and read again, newest first, as long as they are kept. Older ones are as good as forgotten. */
export abstract class CheckHistory<Row extends CheckRow> {
  /** SQL: the members of a row. */
  protected readonly selected: string;

  protected constructor(
    protected readonly database: DataSource,
    protected readonly clock: WallClock,
    private readonly rows: CheckTable<Row>,
  ) {
    this.selected = selected(rows.columns);
  }

  /** Keeps a check, and forgets some of those that are too old, whoever made them. @param more values of columns that no member has */
  async insert(
    tx: EntityManager,
    { accountId, simulated }: RowOwner,
    row: Readonly<Record<keyof Row, unknown>>,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    const { table, columns, forgettable = 'true' } = this.rows;
    const members = Object.entries<string>(columns).map(([member, column]) => [column, row[member as keyof Row]]);
    const values = { account_id: accountId, simulated, ...Object.fromEntries(members), ...more };
    const places = Object.keys(values).map((_, index) => `$${index + 2}`);
    await tx.query(
      `WITH forgotten AS (
         DELETE FROM ${table} WHERE id = ANY (ARRAY(
           SELECT id FROM ${table} WHERE created_at < $1 AND ${forgettable} ORDER BY created_at LIMIT ${OLD_PAGE_SIZE}
              FOR UPDATE SKIP LOCKED))
       )
       INSERT INTO ${table} (${Object.keys(values).join(', ')}) VALUES (${places.join(', ')})`,
      [this.retainedSince(), ...Object.values(values).map(storedForm)],
    );
  }

  /**
   * Newest first.
   * @param only rows with this value of the filter's column; null: all
   * @param since older ones are left out
   */
  list(
    { accountId, simulated }: RowOwner,
    query: PageInput,
    only: string | null = null,
    since = this.retainedSince(),
  ): Promise<Page<Row>> {
    const { table, listing, filter } = this.rows;
    return listing.page<Row>(
      query,
      ({ limit, after }) =>
        this.database.query(
          `SELECT ${this.selected} FROM ${table}
            WHERE account_id = $1 AND simulated = $2 AND created_at >= $3
              AND ($4::timestamptz IS NULL OR (date_trunc('milliseconds', created_at), id) < ($4, $5::bigint))
              AND ($6::text IS NULL OR ${filter ?? 'NULL'} = $6)
            ORDER BY created_at DESC, id DESC LIMIT $7`,
          [accountId, simulated, since, after?.at ?? null, after?.id ?? null, only, limit + 1],
        ),
      byCreation,
    );
  }

  /** @throws AppError `refusal` */
  async get({ accountId, simulated }: RowOwner, id: string): Promise<Row> {
    const { table, refusal } = this.rows;
    const [row]: Row[] = await this.database.query(
      `SELECT ${this.selected} FROM ${table} WHERE id = $1 AND account_id = $2 AND simulated = $3 AND created_at >= $4`,
      [readId(id, refusal), accountId, simulated, this.retainedSince()],
    );
    if (row === undefined) throw new AppError(refusal);
    return row;
  }

  private retainedSince(): Date {
    return new Date(this.clock.now() - this.rows.retentionMs);
  }
}

/** As a column takes it: what is no scalar is JSON. */
export function storedForm(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !(value instanceof Date) ? JSON.stringify(value) : value;
}
