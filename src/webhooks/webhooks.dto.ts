import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsRFC3339,
  IsString,
} from 'class-validator';
import { PageQuery } from '../platform/http/page.js';
import { EVENT_TYPES } from '../platform/outbox/outbox.js';
import { DELIVERY_STATES, type DeliveryState } from './delivery.store.js';

const EVENTS = { enum: EVENT_TYPES, isArray: true, minItems: 1 };

export class CreateWebhookRequest {
  @ApiProperty({ maxLength: 2048, example: 'https://example.com/mailsonde' })
  @IsString()
  @IsNotEmpty()
  readonly url: string;

  @ApiPropertyOptional({ ...EVENTS, description: 'All when left out.' })
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(EVENT_TYPES.length)
  @ArrayUnique()
  @IsIn(EVENT_TYPES, { each: true })
  readonly events?: readonly string[] | null;

  @ApiPropertyOptional({
    enum: ['live', 'test'],
    description: "Whose work it is told of: live keys', or test keys'. Default: the kind of the key that creates it.",
  })
  @IsOptional()
  @IsIn(['live', 'test'])
  readonly mode?: 'live' | 'test' | null;
}

export class ChangeWebhookRequest {
  @ApiPropertyOptional({ maxLength: 2048 })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly url?: string | null;

  @ApiPropertyOptional(EVENTS)
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(EVENT_TYPES.length)
  @ArrayUnique()
  @IsIn(EVENT_TYPES, { each: true })
  readonly events?: readonly string[] | null;

  @ApiPropertyOptional({ description: 'Disabled, it gets nothing; what happens meanwhile waits for it.' })
  @IsOptional()
  @IsBoolean()
  readonly enabled?: boolean | null;
}

export class RedeliverRequest {
  @ApiPropertyOptional({ format: 'date-time', description: 'Events from then on. Default: all that are kept.' })
  @IsOptional()
  @IsRFC3339({ message: 'since must be a time such as 2027-01-31T12:00:00Z' })
  readonly since?: string | null;

  @ApiPropertyOptional({ format: 'date-time', description: 'Events before then. Default: now.' })
  @IsOptional()
  @IsRFC3339({ message: 'until must be a time such as 2027-01-31T12:00:00Z' })
  readonly until?: string | null;

  @ApiPropertyOptional({ default: false, description: 'Also those that have succeeded.' })
  @IsOptional()
  @IsBoolean()
  readonly include_succeeded?: boolean | null;
}

export class DeliveriesQuery extends PageQuery {
  @ApiPropertyOptional({ enum: DELIVERY_STATES })
  @IsOptional()
  @IsIn(DELIVERY_STATES)
  readonly status?: DeliveryState;
}
