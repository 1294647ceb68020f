import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { OptionalDay } from '../../platform/http/time.js';
import { USAGE_COLUMNS, type UsageColumn } from './usage.store.js';

const COLUMNS = Object.keys(USAGE_COLUMNS) as UsageColumn[];
const FORMATS = ['json', 'csv'] as const;

export class UsageQuery {
  @OptionalDay('The first day (UTC); 29 days before `to` unless it is named.')
  readonly from?: string;

  @OptionalDay('The last day (UTC), today unless it is named; at most 366 days in all.')
  readonly to?: string;

  @ApiPropertyOptional({ enum: COLUMNS, default: 'day' })
  @IsOptional()
  @IsIn(COLUMNS)
  readonly by?: UsageColumn;

  @ApiPropertyOptional({ enum: FORMATS, default: 'json' })
  @IsOptional()
  @IsIn(FORMATS)
  readonly format?: (typeof FORMATS)[number];
}
