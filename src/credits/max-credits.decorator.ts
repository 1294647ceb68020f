import { IntegerInQuery, OptionalInteger } from '../platform/http/fields.js';
import { isDigits, MAX_CREDITS } from './max-credits.js';

/** `max_credits` of a JSON body. */
export const OptionalMaxCredits = (): PropertyDecorator => OptionalInteger(MAX_CREDITS);

/** `max_credits` of a query. */
export const MaxCreditsInQuery = (): PropertyDecorator =>
  IntegerInQuery({ ...MAX_CREDITS, nullable: false }, (text) => (isDigits(text) ? Number(text) : text));
