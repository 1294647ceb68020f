import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { MAX_RETENTION_DAYS, RETENTION, RETRY_WINDOW } from '../formats/intake-row.js';
import { MAX_RETRY_WINDOW_SECONDS } from '../model/retry-window.js';

export class BatchSettingsRequest {
  @ApiPropertyOptional({ ...RETENTION, description: 'Null: as long as the plan lets them be kept.' })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_RETENTION_DAYS)
  readonly retention_days?: number | null;

  @ApiPropertyOptional({ ...RETRY_WINDOW, description: 'Null: as the installation says.' })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_RETRY_WINDOW_SECONDS)
  readonly retry_window_seconds?: number | null;
}

export class KeepBatchRequest {
  @ApiProperty({
    ...RETENTION,
    nullable: false,
    description: 'How many days Mailsonde keeps the batch after it ends, at most as many as the plan allows.',
  })
  // The service asks for it: whose batch it is not is told nothing else.
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_RETENTION_DAYS)
  readonly retention_days?: number | null;
}

export class BatchSettingsReply {
  @ApiProperty({ type: 'integer', description: 'Days for which batches are kept that do not say it themselves.' })
  readonly retention_days: number;

  @ApiProperty({ type: 'integer', description: 'The most days that a batch can be kept.' })
  readonly max_retention_days: number;

  @ApiProperty({ type: 'integer', description: 'For how long soft answers of batches are tried again.' })
  readonly retry_window_seconds: number;
}
