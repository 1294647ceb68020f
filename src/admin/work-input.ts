import { IsIn, IsOptional, IsUUID } from 'class-validator';
import type { BatchState } from '../batch/batch-administration.service.js';
import { AppError } from '../platform/errors/app-error.js';
import { PageQuery } from '../platform/http/page.js';
import type { DeliveryState } from '../webhooks/delivery-administration.service.js';

export const BATCH_STATES = ['queued', 'processing', 'completed', 'failed', 'cancelled'] as const;
export const DELIVERY_STATES = ['pending', 'succeeded', 'failed'] as const;

export class BatchesQuery extends PageQuery {
  @IsOptional()
  @IsUUID()
  readonly account_id?: string;

  @IsOptional()
  @IsIn(BATCH_STATES)
  readonly status?: BatchState;
}

export class DeliveriesQuery extends PageQuery {
  @IsOptional()
  @IsUUID()
  readonly account_id?: string;

  @IsOptional()
  @IsUUID()
  readonly webhook_id?: string;

  @IsOptional()
  @IsIn(DELIVERY_STATES)
  readonly status?: DeliveryState;
}

export function filterOf({ account_id, webhook_id, status }: DeliveriesQuery) {
  return { accountId: account_id ?? null, endpointId: webhook_id ?? null, state: status ?? null };
}

/** @throws AppError `batch_not_found` for what is no id of ours */
export function batchIdOf(text: string): number {
  if (/^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new AppError('batch_not_found');
}
