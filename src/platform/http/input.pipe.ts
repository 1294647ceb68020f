import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { AppError, type FieldError } from '../errors/app-error.js';
import { UnreadableBody } from './unreadable-body.js';

/* More would only make the reply as long as the request. */
const MOST_FIELDS = 100;

/**
 * Checks bodies, queries and parameters against their DTO. Members that no DTO names are ignored, so that callers written
 * for a later version work; nothing is converted, so a number is no text.
 */
@Injectable()
export class InputPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      exceptionFactory: (errors) => new AppError('invalid_input', { fields: fieldErrors(errors) }),
    });
  }

  /** Nest would make a number of every `:id` that a handler types so, before the id's own pipe sees its text. */
  protected override transformPrimitive(value: unknown): unknown {
    return value;
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (value instanceof UnreadableBody) throw value.error;
    // class-transformer walks through all that an object refers to: a socket would be the end of the process.
    if (this.toValidate(metadata) && !isPlain(value)) throw new AppError('unsupported_media_type');
    return super.transform(value, metadata);
  }
}

/** What JSON and queries are made of; a parsed query has no prototype, or one without a prototype. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Flattens class-validator's tree to paths such as `emails[3]` and `contact.name`. */
export function fieldErrors(errors: readonly ValidationError[], parent = ''): FieldError[] {
  const flat = errors.flatMap((error): FieldError[] => {
    const field = pathOf(parent, error.property);
    const own = mostTelling(error.constraints ?? {});
    return [...own.map((text) => ({ field, error: text })), ...fieldErrors(error.children ?? [], field)];
  });
  return flat.slice(0, MOST_FIELDS);
}

function pathOf(parent: string, property: string): string {
  if (/^\d+$/.test(property)) return `${parent}[${property}]`;
  return parent === '' ? property : `${parent}.${property}`;
}

/** One text for a field: of what type it must be (`isString`, `isInt` …) before how long or large it may be. */
function mostTelling(constraints: Readonly<Record<string, string>>): string[] {
  const broken = Object.entries(constraints);
  const told = broken.find(([name]) => name.startsWith('is')) ?? broken[0];
  return told === undefined ? [] : [told[1]];
}
