import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { OptionalDay } from '../platform/http/fields.js';

const MAX_LISTED = 1_000;

export class ReportedPeriodQuery {
  @OptionalDay('The first day (UTC) on which a period of a report begins; 29 days before `to` unless it is named.')
  readonly from?: string;

  @OptionalDay('The last day (UTC), included; today unless it is named.')
  readonly to?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_LISTED, default: 100 })
  @IsOptional()
  @Transform(({ value }) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value))
  @IsInt()
  @Min(1)
  @Max(MAX_LISTED)
  readonly limit?: number;
}
