import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
} from 'class-validator';
import { PageQuery } from '../platform/http/page.js';
import { OptionalFlag, OptionalInteger, OptionalOneOf, OptionalTime, UniqueItems } from '../platform/http/fields.js';
import { MAX_INCLUDED_RESULTS } from '../events/event-contents.js';
import { EVENT_TYPES } from '../events/outbox.js';
import { DELIVERY_STATES, type DeliveryState } from './delivery-state.js';

const EVENTS = { enum: EVENT_TYPES, isArray: true, minItems: 1, uniqueItems: true };

export class CreateWebhookRequest {
  @ApiProperty({ minLength: 1, maxLength: 2048, example: 'https://example.com/mailsonde' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(2048)
  readonly url: string;

  @ApiPropertyOptional({ ...EVENTS, description: 'All when left out.' })
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(EVENT_TYPES.length)
  @UniqueItems()
  @IsIn(EVENT_TYPES, { each: true })
  readonly events?: readonly string[] | null;

  @OptionalInteger({
    minimum: 0,
    maximum: MAX_INCLUDED_RESULTS,
    default: MAX_INCLUDED_RESULTS,
    description: 'So many rows of results a body carries at most; it has `results_url` always.',
  })
  readonly include_results?: number | null;

  @OptionalOneOf(['live', 'test'], {
    description:
      'The mode of the key that registers it, which it has anyway: it is told of the work of such keys only.',
  })
  readonly mode?: 'live' | 'test' | null;
}

export class ChangeWebhookRequest {
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: 2048 })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(2048)
  readonly url?: string | null;

  @ApiPropertyOptional({
    ...EVENTS,
    minItems: 0,
    description:
      "May be empty only for an endpoint that a batch's `webhook_url` created; it receives the events of those batches.",
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(EVENT_TYPES.length)
  @UniqueItems()
  @IsIn(EVENT_TYPES, { each: true })
  readonly events?: readonly string[] | null;

  @OptionalInteger({
    minimum: 0,
    maximum: MAX_INCLUDED_RESULTS,
    description: 'So many rows of results a body carries at most; it has `results_url` always.',
  })
  readonly include_results?: number | null;

  @OptionalFlag({ description: 'Disabled, it gets nothing; what happens meanwhile waits for it.' })
  readonly enabled?: boolean | null;
}

export class RedeliverRequest {
  @OptionalTime({ description: 'Events from then on. Default: all that are kept.' })
  readonly since?: string | null;

  @OptionalTime({ description: 'Events before then. Default: now.' })
  readonly until?: string | null;

  @OptionalFlag({ default: false, description: 'Also those that have succeeded.' })
  readonly include_succeeded?: boolean | null;
}

export class DeliveriesQuery extends PageQuery {
  @OptionalOneOf(DELIVERY_STATES)
  readonly status?: DeliveryState;
}
