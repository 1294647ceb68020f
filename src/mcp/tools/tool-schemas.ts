import { z } from 'zod';
import { MAX_CREDITS } from '../../credits/max-credits.js';
import { KEY_PATTERN } from '../../idempotency/idempotency.interceptor.js';
import { ACTIONS } from '../../platform/config/reason-texts.js';
import { VERDICTS } from '../../presenting/verification.reply.js';

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
/** Members whose names say what they are. */
export const members = () => z.record(z.string(), z.unknown());
export const time = () => z.iso.datetime();

const resultFields = {
  credits_charged: count(),
  credits_remaining: count().nullable(),
  action: z.enum(NEXT_ACTIONS),
  retry_after: count().nullable(),
  next_step: z.string().nullable(),
};

const success = z.object({ success: z.literal(true), ...resultFields });
export type ResultFields = Omit<z.infer<typeof success>, 'success'>;

const failure = z.object({
  success: z.literal(false),
  /** What is wrong, in a sentence. */
  error: z.string(),
  /** Stable, as in the REST interface: decide by it. */
  code: z.string(),
  request_id: z.string(),
  action: z.enum(['get_api_key', 'retry_later', 'correct_input', 'add_credits', 'none']),
  retry_after: count().nullable(),
  next_step: z.string(),
});
export type Failure = z.infer<typeof failure>;

/** Kept 24 hours, in the store of the REST interface's `Idempotency-Key`. */
export const idempotencyKey = () =>
  z
    .string()
    .regex(KEY_PATTERN, 'must be 1 to 255 visible ASCII characters')
    .optional()
    .describe('Such as a UUID: the same call within 24 hours gets the first result, charged once.');

export const maxCredits = () =>
  z.int().min(0).max(MAX_CREDITS.maximum).optional().describe('Refuse with ceiling_reached what may cost more.');

export const cursor = () => z.string().max(200).optional().describe('next_cursor of the page before.');
export const nextCursor = () => z.string().nullable();
export const id = () => z.int().min(1).max(Number.MAX_SAFE_INTEGER);
export const counts = () => z.object({ valid: count(), invalid: count(), risky: count(), unknown: count() });

/** A verdict as agents get it over REST, with advice about the address. */
export const verdictFields = {
  email: z.string(),
  result: z.enum(VERDICTS),
  reason: z.string().nullable(),
  score: z.int().min(0).max(100),
  disposable: z.boolean(),
  role: z.boolean(),
  free: z.boolean(),
  accept_all: z.boolean(),
  did_you_mean: z.string().nullable(),
};

export const verdictRow = () =>
  z.object({ ...verdictFields, action: resultFields.action, retry_after: resultFields.retry_after });

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Every argument that may be left out may also be null: a client that calls functions strictly makes its model write all of them
 * (OpenAI, function calling, strict mode).
 */
export function inputSchemaOf(input: z.ZodObject): JsonSchema {
  const entries = Object.entries(input.shape).map(([name, field]) => [
    name,
    field instanceof z.ZodOptional ? field.nullable() : field,
  ]);
  return jsonSchemaOf(z.object({ ...input.shape, ...Object.fromEntries(entries) }));
}

/**
 * One flat object for results and refusals alike, because clients that make classes of it lose the members of a `oneOf`. What only one of
 * the two has may be missing; refusals have further members, which docs/errors.md names by code.
 */
export function outputSchemaOf(output: z.ZodObject): JsonSchema {
  const { code, error } = failure.shape;
  const { properties } = jsonSchemaOf(z.object({ ...output.shape, ...resultFields, code, error }), bare);
  return {
    type: 'object',
    properties: { success: { type: 'boolean' }, ...(properties as object) },
    required: ['success', 'action'],
  };
}

/**
 * A schema without a dialect, which clients would have to know, and open, so that members can be added. Models read every word of
 * it, so members without meaning are removed.
 */
function jsonSchemaOf(schema: z.ZodObject, shortenFurther: typeof shorten = () => undefined): JsonSchema {
  const { $schema: _, ...own } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      shorten(jsonSchema);
      shortenFurther(jsonSchema);
    },
  });
  return own;
}

const UNREAD = [
  'description',
  'minimum',
  'maximum',
  'format',
  'required',
  'propertyNames',
  'additionalProperties',
] as const;

/** Of what comes back a model needs names and types: what they mean it reads in the tool's description, and docs/mcp.md. */
function bare(schema: z.core.JSONSchema.BaseSchema): void {
  for (const member of UNREAD) delete schema[member];
  if ((schema.enum?.length ?? 0) > VERDICTS.length) delete schema.enum;
}

function shorten(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.const !== undefined) delete schema.type;
  const [only, none] = schema.anyOf ?? [];
  if (typeof only !== 'object' || typeof none !== 'object' || none.type !== 'null') return;
  if (typeof only.type !== 'string' || only.type === 'object') return;
  delete schema.anyOf;
  Object.assign(schema, only, { type: [only.type, 'null'] });
  if (only.enum) schema.enum = [...only.enum, null];
}
