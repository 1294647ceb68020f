import type { z } from 'zod';
import { AppError, type FieldError, MAX_FIELD_ERRORS } from '../platform/errors/app-error.js';

/**
 * The arguments of a call. Members that the tool does not know are ignored, as in REST; null means that a member is left out,
 * since models write it so.
 * @throws AppError `invalid_input`
 */
export function readArguments<Input extends z.ZodObject>(
  schema: Input,
  given: Readonly<Record<string, unknown>>,
): z.infer<Input> {
  const told = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const { success, data, error } = schema.safeParse(told);
  if (success) return data;
  throw new AppError('invalid_input', { fields: error.issues.slice(0, MAX_FIELD_ERRORS).map(fieldError) });
}

function fieldError({ path, message }: z.core.$ZodIssue): FieldError {
  const field = path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
  return { field, error: message };
}
