import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import type { Batch } from '../model/batch.js';
import type { Verdict } from '../results/result-codec.js';

export const RESULT_FORMATS = ['json', 'csv', 'ndjson'] as const;
const VERDICT_LIST = /^(valid|invalid|risky|unknown)(,(valid|invalid|risky|unknown))*$/;
const DEFAULT_LIMIT = 1_000;
const MAX_ROWS = 10_000;

/** The query of results: which rows, in which format. */
export class ResultsQuery {
  @ApiPropertyOptional({ enum: RESULT_FORMATS, default: 'json' })
  @IsOptional()
  @IsIn(RESULT_FORMATS)
  readonly format?: (typeof RESULT_FORMATS)[number];

  @ApiPropertyOptional({
    pattern: VERDICT_LIST.source,
    example: 'valid,risky',
    description: 'Comma list; all when left out.',
  })
  @IsOptional()
  @IsString()
  @Matches(VERDICT_LIST, { message: 'verdict must be a comma list of valid, invalid, risky, unknown' })
  readonly verdict?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_ROWS, default: DEFAULT_LIMIT })
  @IsOptional()
  @Transform(({ value }) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value))
  @IsInt()
  @Min(1)
  @Max(MAX_ROWS)
  readonly limit?: number;

  @ApiPropertyOptional({ description: '`next_cursor` of the page before.' })
  @IsOptional()
  @IsString()
  @MaxLength(100)
  readonly cursor?: string;
}

export interface WantedResults {
  readonly from: number;
  readonly limit: number;
  readonly verdicts: ReadonlySet<Verdict> | null;
}

/** @throws AppError `invalid_input` for a cursor of another listing */
export function wantedResults(batch: Batch, { verdict, limit = DEFAULT_LIMIT, cursor }: ResultsQuery): WantedResults {
  const verdicts = verdict === undefined ? null : new Set(verdict.split(',') as Verdict[]);
  return {
    from: cursor === undefined ? 0 : Number(decodeCursor(resultsOf(batch), cursor, /^(\d{1,7})$/)[0]),
    limit,
    verdicts,
  };
}

export function resultsCursor(batch: Batch, position: number | null): string | null {
  return position === null ? null : encodeCursor(resultsOf(batch), String(position));
}

/** A cursor counts rows, so one of another batch would silently skip rows. */
function resultsOf({ id }: Batch): string {
  return `results-of-${id}`;
}

/** Whether the header names the type, with a weight above 0 (RFC 9110 section 12.5.3). */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0+)?\s*(,|$))/.test(String(header ?? ''));
}
