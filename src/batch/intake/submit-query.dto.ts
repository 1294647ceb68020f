import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsOptional } from 'class-validator';
import { MaxCreditsInQuery } from '../../credits/max-credits.decorator.js';
import {
  DELIMITER_NAMES,
  type DelimiterName,
  numberIn,
  RETENTION,
  RETRY_WINDOW,
  REUSE,
  type WholeSetting,
} from '../formats/sent-body.js';
import { IntegerInQuery, OptionalText, OptionalOneOf } from '../../platform/http/fields.js';

const TRUTH: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

const WholeInQuery = ({ minimum, maximum }: WholeSetting, description: string): PropertyDecorator =>
  IntegerInQuery({ minimum, maximum, description }, numberIn);

/** `true` or `false`, or left out, which may be a third. */
const TruthInQuery = (description: string): PropertyDecorator =>
  applyDecorators(
    IsBoolean({ message: '$property must be true or false' }),
    Transform(({ value }) => TRUTH.get(value) ?? value),
    IsOptional(),
    ApiPropertyOptional({ type: Boolean, description }),
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

  @WholeInQuery(RETRY_WINDOW, `${RETRY_WINDOW.description} In JSON and forms it stands in the body.`)
  readonly retry_window_seconds?: number;

  @WholeInQuery(RETENTION, `${RETENTION.description} In JSON and forms it stands in the body.`)
  readonly retention_days?: number;

  @OptionalOneOf(DELIMITER_NAMES, {
    description:
      'What divides the columns of a CSV; what its first line tells when left out. In forms it stands in the body.',
  })
  readonly delimiter?: DelimiterName;

  @OptionalText(200, 'The sheet of an Excel workbook: its name, or its number from 1. In forms it stands in the body.')
  readonly sheet?: string;

  @TruthInQuery('Take it in and count it, and wait for `start`: the reply has a `quote`, and nothing is reserved.')
  readonly hold?: boolean;
}

export class SubmitBatchQuery extends SubmitQuery {
  @OptionalText(200, 'The column of a CSV that holds the addresses: its name, or its number from 1.')
  readonly email_column?: string;

  @TruthInQuery(
    'Whether the first record of a CSV has names; what its rows tell when left out. In forms it stands in the body.',
  )
  readonly has_header?: boolean;

  @WholeInQuery(
    REUSE,
    'How old a verdict may be that is given again for nothing; in JSON and forms it stands in the body.',
  )
  readonly reuse_days?: number;
}

/** How a table is looked at. */
export class PreviewBatchQuery extends PickType(SubmitBatchQuery, ['delimiter', 'sheet', 'has_header']) {}

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
