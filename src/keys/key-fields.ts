import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { IsTime, OptionalInteger, UniqueItems } from '../platform/http/fields.js';
import { type GivenCeilings, MAX_CEILING } from './scope/ceilings.js';
import { MAX_NETWORK_LENGTH, MAX_NETWORKS } from './scope/networks.js';
import { GRACE_SECONDS } from './scope/key-changes.js';

/** The fields of a key that its owner and an administrator set alike. */

export const OptionalTime = (description: string): PropertyDecorator =>
  applyDecorators(ApiPropertyOptional({ type: String, format: 'date-time', description }), IsOptional(), IsTime());

export const OptionalGrace = (): PropertyDecorator =>
  OptionalInteger({
    minimum: 0,
    maximum: GRACE_SECONDS.max,
    default: GRACE_SECONDS.default,
    description: 'How long the old key keeps working.',
  });

/** @param every the permissions that a key of the kind can have */
export const OptionalPermissions = (every: readonly string[]): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      enum: every,
      isArray: true,
      minItems: 1,
      uniqueItems: true,
      description: 'What the key may do; all when left out.',
    }),
    IsOptional(),
    IsArray(),
    ArrayNotEmpty(),
    ArrayMaxSize(every.length),
    UniqueItems(),
    IsIn(every, { each: true }),
  );

export const OptionalNetworks = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: [String],
      minItems: 1,
      maxItems: MAX_NETWORKS,
      description: 'The networks from which the key works, in CIDR notation; everywhere when left out.',
      example: ['192.0.2.0/24', '2001:db8::/32'],
    }),
    IsOptional(),
    IsArray(),
    ArrayNotEmpty(),
    ArrayMaxSize(MAX_NETWORKS),
    IsString({ each: true }),
    MaxLength(MAX_NETWORK_LENGTH, { each: true }),
  );

const OptionalCeiling = (description: string): PropertyDecorator =>
  OptionalInteger({ minimum: 0, maximum: MAX_CEILING, nullable: true, description });

const NOT_READ = { anyOf: [{}], description: 'Accepted so that you can send a reply back; ignored.' };

/** A ceiling as replies show it. Its credits are checked at the member that holds it. */
export class CeilingRequest {
  @ApiProperty({ type: 'integer', minimum: 0, maximum: MAX_CEILING, description: 'What may be spent.' })
  @Allow()
  readonly credits: number;

  @ApiPropertyOptional(NOT_READ)
  @Allow()
  readonly used?: unknown;

  @ApiPropertyOptional(NOT_READ)
  @Allow()
  readonly resets_at?: unknown;
}

const ShownCeiling = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      oneOf: [{ type: 'integer', minimum: 0, maximum: MAX_CEILING }, { $ref: getSchemaPath(CeilingRequest) }],
      description,
    }),
    IsOptional(),
    Type(() => CeilingRequest),
    ValidateBy({
      name: 'isCeiling',
      validator: {
        validate: (value) => isCredits(value instanceof CeilingRequest ? value.credits : value),
        defaultMessage: () =>
          `$property must be a whole number from 0 to ${MAX_CEILING}, or an object with it as credits`,
      },
    }),
  );

function isCredits(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_CEILING;
}

/** The ceilings of a key in the shape of replies. */
@ApiExtraModels(CeilingRequest)
export class CeilingsRequest {
  @ShownCeiling('Of a UTC day.')
  readonly credits_per_day?: number | CeilingRequest | null;

  @ShownCeiling('Of a UTC month.')
  readonly credits_per_month?: number | CeilingRequest | null;

  @ShownCeiling('In all.')
  readonly credits_total?: number | CeilingRequest | null;
}

/** What a key may spend of the balance; null: no such ceiling. */
@ApiExtraModels(CeilingsRequest)
export abstract class CeilingFields implements GivenCeilings {
  @ApiPropertyOptional({
    oneOf: [{ $ref: getSchemaPath(CeilingsRequest) }],
    description:
      'Spending limits in the form that replies use. Use this or the fields `credits_per_day`, `credits_per_month`, `credits_total`, not both. null removes all limits.',
  })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => CeilingsRequest)
  readonly ceilings?: CeilingsRequest | null;

  @OptionalCeiling('The most credits that it spends in a UTC day.')
  readonly credits_per_day?: number | null;

  @OptionalCeiling('The most credits that it spends in a UTC month.')
  readonly credits_per_month?: number | null;

  @OptionalCeiling('The most credits that it spends in all.')
  readonly credits_total?: number | null;
}

/** @param text an RFC 3339 time, checked at the edge */
export function timeOrNull(text: string | null | undefined): Date | null {
  return text ? new Date(text) : null;
}
