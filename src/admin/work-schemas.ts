import { ApiProperty } from '@nestjs/swagger';
import { NEXT_CURSOR } from './admin-schemas.js';
import { BATCH_STATES, DELIVERY_STATES } from './work-input.js';

/* What administrators are answered about batches and deliveries, for the documents. */

const TIME_OR_NULL = { type: String, format: 'date-time', nullable: true } as const;
const INTEGER = { type: 'integer' } as const;
const BATCH_ID = { type: 'integer', format: 'int64', minimum: 1 } as const;

export class WorkCountsBody {
  @ApiProperty(INTEGER)
  readonly valid: number;

  @ApiProperty(INTEGER)
  readonly invalid: number;

  @ApiProperty(INTEGER)
  readonly risky: number;

  @ApiProperty(INTEGER)
  readonly unknown: number;
}

export class WorkBatchReply {
  @ApiProperty(BATCH_ID)
  readonly id: number;

  @ApiProperty({ format: 'uuid' })
  readonly account_id: string;

  @ApiProperty({ enum: BATCH_STATES })
  readonly status: string;

  @ApiProperty({ description: 'Sent by a test key.' })
  readonly test: boolean;

  @ApiProperty(INTEGER)
  readonly total_emails: number;

  @ApiProperty(INTEGER)
  readonly unique_emails: number;

  @ApiProperty({ type: WorkCountsBody })
  readonly counts: WorkCountsBody;

  @ApiProperty(INTEGER)
  readonly credits_reserved: number;

  @ApiProperty(INTEGER)
  readonly credits_charged: number;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;

  @ApiProperty(TIME_OR_NULL)
  readonly started_at: string | null;

  @ApiProperty(TIME_OR_NULL)
  readonly completed_at: string | null;
}

export class WorkBatchPageReply {
  @ApiProperty({ type: [WorkBatchReply] })
  readonly batches: readonly WorkBatchReply[];

  @ApiProperty(NEXT_CURSOR)
  readonly next_cursor: string | null;
}

export class WorkDeliveryReply {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ format: 'uuid' })
  readonly account_id: string;

  @ApiProperty({ format: 'uuid' })
  readonly webhook_id: string;

  @ApiProperty()
  readonly url: string;

  @ApiProperty({ description: 'Whether the endpoint is; a disabled one gets nothing.' })
  readonly enabled: boolean;

  @ApiProperty({ example: 'batch.completed' })
  readonly type: string;

  @ApiProperty({ ...BATCH_ID, nullable: true })
  readonly batch_id: number | null;

  @ApiProperty({ enum: DELIVERY_STATES })
  readonly status: string;

  @ApiProperty(INTEGER)
  readonly attempts: number;

  @ApiProperty({ type: 'integer', nullable: true })
  readonly last_status: number | null;

  @ApiProperty({ type: String, nullable: true })
  readonly last_error: string | null;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;

  @ApiProperty(TIME_OR_NULL)
  readonly due_at: string | null;

  @ApiProperty(TIME_OR_NULL)
  readonly finished_at: string | null;
}

export class WorkDeliveryPageReply {
  @ApiProperty({ type: [WorkDeliveryReply] })
  readonly deliveries: readonly WorkDeliveryReply[];

  @ApiProperty(NEXT_CURSOR)
  readonly next_cursor: string | null;
}
