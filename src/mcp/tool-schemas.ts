import { z } from 'zod';
import { MAX_CREDITS } from '../credits/max-credits.js';
import { KEY_PATTERN } from '../idempotency/idempotency-key.js';
import { ACTIONS } from '../platform/config/reason-texts.js';
import { ALL_REASONS, VERDICTS } from '../presenting/verification.reply.js';

/** Advice in one word: about an address, or about the result itself. */
const NEXT_ACTIONS = [
  ...ACTIONS,
  'none',
  'verify',
  'poll',
  'get_list',
  'get_api_key',
  'reconnect',
  'correct_input',
  'add_credits',
] as const;

export const count = () => z.int().min(0);
export const time = () => z.iso.datetime();

const resultFields = {
  credits_charged: count().describe('Credits that this call has cost.'),
  credits_remaining: count().nullable().describe('Credits that may be spent now; null without a key.'),
  action: z.enum(NEXT_ACTIONS).describe('What to do next, in one word.'),
  retry_after: count()
    .nullable()
    .describe('Seconds to wait before the same question may have another answer; else null.'),
  next_step: z.string().nullable().describe('What to do next, in a sentence, where it is not plain.'),
};

const success = z.object({ success: z.literal(true), ...resultFields });
export type ResultFields = Omit<z.infer<typeof success>, 'success'>;

const failure = z.object({
  success: z.literal(false),
  error: z.string().describe('What is wrong, in a sentence.'),
  code: z.string().describe('Stable, as in the REST interface: decide by it.'),
  request_id: z.string(),
  action: z.enum(['get_api_key', 'retry_later', 'correct_input', 'add_credits', 'none']),
  retry_after: count().nullable(),
  next_step: z.string(),
  fields: z
    .array(z.object({ field: z.string(), error: z.string() }))
    .optional()
    .describe('Which argument is wrong, and why.'),
  permission: z.string().optional().describe('The one that the key lacks.'),
  required: count().optional().describe('Credits that the call costs at most.'),
  remaining: count().optional().describe('Credits that are left.'),
  ceiling: z.string().optional().describe('The ceiling of the key that is reached.'),
  credits: count().optional().describe('What that ceiling allows.'),
  used: count().optional().describe('What is used of it.'),
  resets_at: time().nullable().optional().describe('When credits start again; null: never.'),
  claim_url: z.string().optional().describe('For the person you work for: how to let you go on.'),
  limit: count().optional().describe('How many emails one batch may hold.'),
});
export type Failure = z.infer<typeof failure>;

/** Kept 24 hours, in the store of the REST interface's `Idempotency-Key`. */
export const idempotencyKey = () =>
  z
    .string()
    .regex(KEY_PATTERN, 'must be 1 to 255 visible ASCII characters')
    .optional()
    .describe(
      'Any text of your own, such as a UUID. The same key with the same arguments again, within 24 hours, gets the first result again and is charged once: use it to retry safely.',
    );

export const maxCredits = () =>
  z
    .int()
    .min(0)
    .max(MAX_CREDITS.maximum)
    .optional()
    .describe('Refuse, with ceiling_reached and before anything is done, what may cost more.');

export const cursor = () => z.string().max(200).optional().describe('`next_cursor` of the page before.');
export const nextCursor = () => z.string().nullable().describe('For the next page as `cursor`; null on the last one.');
export const id = () => z.int().min(1).max(Number.MAX_SAFE_INTEGER);
export const counts = () => z.object({ valid: count(), invalid: count(), risky: count(), unknown: count() });

/** A verdict as agents get it over REST, with advice about the address. */
export const verdictFields = {
  email: z.string().describe('The address checked.'),
  result: z.enum(VERDICTS),
  reason: z.enum(ALL_REASONS as [string, ...string[]]).nullable(),
  score: z.int().min(0).max(100).describe('How safe it is to send.'),
  disposable: z.boolean(),
  role: z.boolean(),
  free: z.boolean().describe('A free mail provider.'),
  accept_all: z.boolean().describe('The domain takes mail for any name.'),
  did_you_mean: z.string().nullable().describe('A suggested correction; it never changes the verdict.'),
};

export const verdictRow = () =>
  z.object({ ...verdictFields, action: z.enum(NEXT_ACTIONS), retry_after: resultFields.retry_after });

type JsonSchema = Readonly<Record<string, unknown>>;

export function inputSchemaOf(input: z.ZodObject): JsonSchema {
  return jsonSchemaOf(input);
}

/** The schema of results and refusals alike, so that every answer is declared. Its root is an object, as the protocol asks. */
export function outputSchemaOf(output: z.ZodObject): JsonSchema {
  return {
    type: 'object',
    properties: { success: { type: 'boolean' } },
    required: ['success'],
    oneOf: [jsonSchemaOf(success.extend(output.shape)), jsonSchemaOf(failure)],
  };
}

/**
 * A schema without a dialect, which clients would have to know, and open, so that members can be added. Models read every word of
 * it, so members without meaning are removed.
 */
function jsonSchemaOf(schema: z.ZodObject): JsonSchema {
  const { $schema: _, ...own } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => shorten(jsonSchema),
  });
  return own;
}

function shorten(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.const !== undefined) delete schema.type;
  const [only, none] = schema.anyOf ?? [];
  if (typeof only !== 'object' || typeof none !== 'object' || none.type !== 'null' || only.enum) return;
  if (typeof only.type !== 'string' || only.type === 'object') return;
  delete schema.anyOf;
  Object.assign(schema, only, { type: [only.type, 'null'] });
}
