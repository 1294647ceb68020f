import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { RETENTION, RETRY_WINDOW } from '../formats/sent-body.js';
import { OptionalInteger } from '../../platform/http/fields.js';
import { field, Reply } from '../../platform/http/reply.js';

export class BatchSettingsRequest {
  @OptionalInteger({ ...RETENTION, description: 'Null: as long as the plan lets them be kept.' })
  readonly retention_days?: number | null;

  @OptionalInteger({ ...RETRY_WINDOW, description: 'Null: as the installation says.' })
  readonly retry_window_seconds?: number | null;
}

export class KeepBatchRequest {
  @ApiProperty({ ...RETENTION, nullable: false })
  // The service asks for it: whose batch it is not is told nothing else.
  @IsOptional()
  @IsInt()
  @Min(RETENTION.minimum)
  @Max(RETENTION.maximum)
  readonly retention_days?: number | null;
}

export class BatchSettingsReply extends Reply({
  retention_days: field.integer('Days for which batches are kept that do not say it themselves.'),
  max_retention_days: field.integer('The most days that a batch can be kept.'),
  retry_window_seconds: field.integer('For how long soft answers of batches are tried again.'),
}) {}
