import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { AppError } from '../errors/app-error.js';

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

/** @throws AppError `invalid_input` for a cursor that was not given by us */
export function pageRequest({ limit = DEFAULT_LIMIT, cursor }: PageQuery): PageRequest {
  return { limit, after: cursor === undefined ? null : decode(cursor) };
}

/** @param rows one more than asked for, when there are more */
export function pageOf<T>(rows: readonly T[], { limit }: PageRequest, positionOf: (row: T) => Position): Page<T> {
  const items = rows.slice(0, limit);
  return { items, nextCursor: rows.length > limit ? encode(positionOf(items.at(-1)!)) : null };
}

function encode({ at, id }: Position): string {
  return Buffer.from(`${at.getTime()} ${id}`).toString('base64url');
}

function decode(cursor: string): Position {
  const [, ms, id] = /^(\d{1,15}) ([\da-f-]{1,64})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (ms === undefined || id === undefined)
    throw new AppError('invalid_input', { fields: [{ field: 'cursor', error: 'cursor is not one of ours' }] });
  return { at: new Date(Number(ms)), id };
}
