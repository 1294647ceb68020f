import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { decodeCursor, encodeCursor } from './cursor.js';

const DEFAULT_LIMIT = 20;
const MOST = 100;

/** Which part of a listing, newest first. */
export class PageQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MOST, default: DEFAULT_LIMIT })
  @IsOptional()
  @Transform(({ value }) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value))
  @IsInt()
  @Min(1)
  @Max(MOST)
  readonly limit?: number;

  @ApiPropertyOptional({ description: '`next_cursor` of the page before.' })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  readonly cursor?: string;
}

/** Where a listing by time goes on: behind the row of this time and id. */
export interface Position {
  readonly at: Date;
  readonly id: string;
}

export interface PageRequest {
  readonly limit: number;
  readonly after: Position | null;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/* Milliseconds up to the year 2286, then the id: whatever a cursor says, PostgreSQL can compare with it. */
const POSITIONS = {
  uuid: /^(\d{1,13}) ([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/,
  integer: /^(\d{1,13}) ([1-9]\d{0,14})$/,
  sha256: /^(\d{1,13}) ([\da-f]{64})$/,
} as const;

/** Rows of one kind by their time, newest first, a page at a time. Each listing takes only the cursors that it has given. */
export class Listing {
  /** @param ids what tells rows of the same millisecond apart */
  constructor(
    private readonly name: string,
    private readonly ids: keyof typeof POSITIONS,
  ) {}

  /**
   * @param find gives one row more than asked for, when there are more
   * @throws AppError `invalid_input` for a cursor of another listing, or of nobody
   */
  async page<T>(
    { limit = DEFAULT_LIMIT, cursor }: PageQuery,
    find: (request: PageRequest) => Promise<readonly T[]>,
    positionOf: (row: T) => Position,
  ): Promise<Page<T>> {
    const rows = await find({ limit, after: cursor === undefined ? null : this.decode(cursor) });
    const items = rows.slice(0, limit);
    return { items, nextCursor: rows.length > limit ? this.encode(positionOf(items.at(-1)!)) : null };
  }

  private encode({ at, id }: Position): string {
    return encodeCursor(this.name, `${at.getTime()} ${id}`);
  }

  private decode(cursor: string): Position {
    const [ms, id] = decodeCursor(this.name, cursor, POSITIONS[this.ids]);
    return { at: new Date(Number(ms)), id: id! };
  }
}
