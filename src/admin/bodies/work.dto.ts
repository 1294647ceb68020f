import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsUUID } from 'class-validator';
import { BATCH_STATES, type BatchState } from '../../batch/model/batch.js';
import { PageQuery } from '../../platform/http/page.js';
import { DELIVERY_STATES, type DeliveryState } from '../../webhooks/delivery-state.js';
import { OptionalOneOf } from '../../platform/http/fields.js';

export class BatchesQuery extends PageQuery {
  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptional()
  @IsUUID()
  readonly account_id?: string;

  @OptionalOneOf(BATCH_STATES)
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

  @OptionalOneOf(DELIVERY_STATES)
  readonly status?: DeliveryState;
}

export function filterOf({ account_id, webhook_id, status }: DeliveriesQuery) {
  return { accountId: account_id ?? null, endpointId: webhook_id ?? null, state: status ?? null };
}
