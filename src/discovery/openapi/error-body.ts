import { ERROR_CATALOG } from '../../platform/errors/error-catalog.js';
import { field, Reply } from '../../platform/http/reply.js';

export class FieldErrorBody extends Reply({
  field: field.text({ example: 'emails[3]' }),
  error: field.text(),
}) {}

/** The body of every error, for the documents. */
export class ErrorBody extends Reply({
  success: field.of<boolean>({ enum: [false] }),
  error: field.text('A sentence for people; it may change.'),
  code: field.oneOf(Object.keys(ERROR_CATALOG), 'Stable: decide by it.'),
  request_id: field.text('Also the header `X-Request-Id`.'),
  fields: field.optional(field.listOf(FieldErrorBody, '422: what is wrong, at most 100 of them.')),
  permission: field.optional(
    field.text({ description: '`permission_missing`: the one that the key lacks.', example: 'results' }),
  ),
  required: field.optional(field.integer('402: the credits that the request costs at most.')),
  remaining: field.optional(field.integer('402: the credits that are left.')),
  ceiling: field.optional(
    field.text({
      description: '`key_ceiling_reached`: the one that is reached, of several the one that lasts the longest.',
      example: 'credits_per_day',
    }),
  ),
  credits: field.optional(field.integer('`key_ceiling_reached`: what the ceiling allows.')),
  used: field.optional(field.integer('`key_ceiling_reached`: what is used of it.')),
  resets_at: field.optional(field.timeOrNull('402 of agents and of ceilings: when credits start again; null: never.')),
  claim_url: field.optional(field.url('402 of agents: where a person reads how to let them go on.')),
  limit: field.optional(field.integer('`too_many_emails`: how many one batch may hold.')),
}) {}
