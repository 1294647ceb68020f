import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { MAX_RETENTION_DAYS, RETENTION } from '../intake/batch-options.js';
import { BatchReply } from '../http/batch.reply.js';
import { PeopleBatchReply } from '../http/people-batch.reply.js';

const DAYS = { ...RETENTION, nullable: false } as const;

export class KeepBatchRequest {
  @ApiProperty({ ...DAYS, description: 'Days for which it is kept from its end on, at most as many as the plan has.' })
  // The service asks for it: whose batch it is not is told nothing else.
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_RETENTION_DAYS)
  readonly retention_days?: number | null;
}

export class BatchKeptReply extends BatchReply {
  @ApiProperty(DAYS)
  readonly retention_days: number;
}

export class PeopleBatchKeptReply extends PeopleBatchReply {
  @ApiProperty(DAYS)
  readonly retention_days: number;
}
