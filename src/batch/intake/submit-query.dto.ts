import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, Max, Min } from 'class-validator';
import { MaxCreditsInQuery } from '../../credits/max-credits.decorator.js';
import { MAX_REUSE_DAYS } from '../../reuse/reuse.service.js';
import { MAX_RETRY_WINDOW_SECONDS } from '../model/retry-window.js';
import {
  DELIMITER_NAMES,
  type DelimiterName,
  MAX_RETENTION_DAYS,
  numberIn,
  RETENTION,
  RETRY_WINDOW,
} from '../formats/intake-row.js';
import { OptionalText, OptionalOneOf } from '../../platform/http/fields.js';

const TRUTH: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** A whole number, which is text in a query. */
const WholeInQuery = (minimum: number, maximum: number, description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: 'integer', minimum, maximum, description }),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? numberIn(value) : value)),
    IsOptional(),
    IsInt(),
    Min(minimum),
    Max(maximum),
  );

/** Settings of a batch whose body, neither JSON nor a form, has no member for them. */
class SubmitQuery {
  @ApiPropertyOptional({ minLength: 1 })
  @OptionalText(200, 'A name for the list; in JSON and forms it stands in the body.')
  readonly name?: string;

  @OptionalText(2048, 'Where its end is told; in JSON and forms it stands in the body.')
  readonly webhook_url?: string;

  @MaxCreditsInQuery()
  readonly max_credits?: number;

  @WholeInQuery(0, MAX_RETRY_WINDOW_SECONDS, `${RETRY_WINDOW.description} In JSON and forms it stands in the body.`)
  readonly retry_window_seconds?: number;

  @WholeInQuery(1, MAX_RETENTION_DAYS, `${RETENTION.description} In JSON and forms it stands in the body.`)
  readonly retention_days?: number;

  @OptionalOneOf(DELIMITER_NAMES, {
    description:
      'What divides the columns of a CSV; what its first line tells when left out. In forms it stands in the body.',
  })
  readonly delimiter?: DelimiterName;

  @ApiPropertyOptional({
    type: Boolean,
    description: 'Take it in and count it, and wait for `start`: the reply has a `quote`, and nothing is reserved.',
  })
  @IsOptional()
  @Transform(({ value }) => TRUTH.get(value) ?? value)
  @IsBoolean({ message: 'hold must be true or false' })
  readonly hold?: boolean;
}

export class SubmitBatchQuery extends SubmitQuery {
  @OptionalText(200, 'The column of a CSV that holds the addresses: its name, or its number from 1.')
  readonly email_column?: string;

  @WholeInQuery(
    0,
    MAX_REUSE_DAYS,
    'How old a verdict may be that is given again for nothing; in JSON and forms it stands in the body.',
  )
  readonly reuse_days?: number;
}

const column = (what: string) => `The column of a CSV that holds the ${what}: its name, or its number from 1.`;

export class SubmitPeopleQuery extends SubmitQuery {
  @OptionalText(200, column('whole names'))
  readonly full_name_column?: string;

  @OptionalText(200, column('first names'))
  readonly first_name_column?: string;

  @OptionalText(200, column('last names'))
  readonly last_name_column?: string;

  @OptionalText(200, column('domains'))
  readonly domain_column?: string;
}
