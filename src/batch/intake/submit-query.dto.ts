import { ApiPropertyOptional } from '@nestjs/swagger';
import { MaxCreditsInQuery } from '../../credits/max-credits.js';
import { OptionalText } from '../../platform/http/text.js';

/** Settings of a batch whose body, neither JSON nor a form, has no member for them. */
class SubmitQuery {
  @ApiPropertyOptional({ minLength: 1 })
  @OptionalText(200, 'A name for the list; in JSON and forms it stands in the body.')
  readonly name?: string;

  @OptionalText(2048, 'Where its end is told; in JSON and forms it stands in the body.')
  readonly webhook_url?: string;

  @MaxCreditsInQuery()
  readonly max_credits?: number;
}

export class SubmitBatchQuery extends SubmitQuery {
  @OptionalText(200, 'The column of a CSV that holds the addresses: its name, or its number from 1.')
  readonly email_column?: string;
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
