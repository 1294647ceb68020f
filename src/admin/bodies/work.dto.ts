import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsUUID } from 'class-validator';
import { BATCH_STATES, type BatchState } from '../../batch/model/batch.js';
import { PageQuery } from '../../platform/http/page.js';
import { DELIVERY_STATES, type DeliveryState } from '../../webhooks/delivery-state.js';

export class BatchesQuery extends PageQuery {
  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptional()
  @IsUUID()
  readonly account_id?: string;

  @ApiPropertyOptional({ enum: BATCH_STATES })
  @IsOptional()
  @IsIn(BATCH_STATES)
  readonly status?: BatchState;
}

export class DeliveriesQuery extends PageQuery {
  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptional()
  @IsUUID()
  readonly account_id?: string;

  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptional()
  @IsUUID()
  readonly webhook_id?: string;

  @ApiPropertyOptional({ enum: DELIVERY_STATES })
  @IsOptional()
  @IsIn(DELIVERY_STATES)
  readonly status?: DeliveryState;
}

export function filterOf({ account_id, webhook_id, status }: DeliveriesQuery) {
  return { accountId: account_id ?? null, endpointId: webhook_id ?? null, state: status ?? null };
}
