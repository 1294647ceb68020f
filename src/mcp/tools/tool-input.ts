import { z } from 'zod';
import { isBeyondBounds } from '../../platform/http/json-body.js';
import { AppError, type FieldError, MAX_FIELD_ERRORS } from '../../platform/errors/app-error.js';
import { checkMembers } from '../../platform/http/known-members.js';

/**
 * The arguments of a call, as models write them: null and an empty text mean that a member is left out, a number may be text, and a
 * list may be one text or the JSON of a list. Members that are not of the schema are left out.
 * @throws AppError `invalid_input`
 */
export function readArguments<Input extends z.ZodObject>(
  schema: Input,
  given: Readonly<Record<string, unknown>>,
): z.infer<Input> {
  const told = toldOf(given).map(([name, value]) => [
    name,
    typeof value === 'string' ? readText(schema, name, value) : value,
  ]);
  const { success, data, error } = schema.safeParse(Object.fromEntries(told));
  if (success) return data;
  throw new AppError('invalid_input', { fields: error.issues.slice(0, MAX_FIELD_ERRORS).map(fieldError) });
}

/**
 * Refuses what the tool does not know, as REST does.
 * @param refusesAll whether every such argument is refused, or slips alone
 * @throws AppError `invalid_input`
 */
export function checkArguments(
  { shape }: z.ZodObject,
  given: Readonly<Record<string, unknown>>,
  refusesAll: boolean,
): void {
  const known = new Map(Object.keys(shape).map((name) => [name, null]));
  checkMembers(Object.fromEntries(toldOf(given)), known, refusesAll);
}

function toldOf(given: Readonly<Record<string, unknown>>): (readonly [name: string, value: unknown])[] {
  return Object.entries(given).filter(([, value]) => value !== null && value !== '');
}

function readText(schema: z.ZodObject, name: string, value: string): unknown {
  const field: unknown = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
  const kind = field instanceof z.ZodOptional ? field.unwrap() : field;
  if (kind instanceof z.ZodNumber) return /^\d{1,16}$/.test(value.trim()) ? Number(value) : value;
  return kind instanceof z.ZodArray ? listOf(value) : value;
}

function listOf(text: string): unknown {
  if (!text.trimStart().startsWith('[')) return [text];
  try {
    const list: unknown = JSON.parse(text);
    return isBeyondBounds(list) ? [text] : list;
  } catch {
    return [text];
  }
}

function fieldError({ path, message }: z.core.$ZodIssue): FieldError {
  const field = path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
  return { field, error: message };
}
