import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { type AskedPage, DEFAULT_PAGE_LIMIT } from './listing.js';

export type { Page, PageRequest, Position } from './listing.js';

const MOST = 100;

/** The query of a page of a listing, newest first. */
export class PageQuery implements AskedPage {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MOST, default: DEFAULT_PAGE_LIMIT })
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

/** The documentation of `next_cursor`. */
export const NEXT_CURSOR = {
  type: String,
  nullable: true,
  description: 'For the next page as `cursor`; null on the last one.',
} as const;
