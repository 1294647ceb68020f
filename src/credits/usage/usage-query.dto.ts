import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, ValidateBy } from 'class-validator';
import { USAGE_COLUMNS, type UsageColumn } from './usage.store.js';

const COLUMNS = Object.keys(USAGE_COLUMNS) as UsageColumn[];
const FORMATS = ['json', 'csv'] as const;

/** A day that the calendar has, from 1970 on. */
function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^(19[7-9]|[2-9]\d\d)\d-\d\d-\d\d$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

const OptionalDay = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: String, format: 'date', example: '2026-11-01', description }),
    IsOptional(),
    ValidateBy({
      name: 'isDay',
      validator: { validate: isDay, defaultMessage: () => '$property must be a day such as 2027-01-31' },
    }),
  );

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
