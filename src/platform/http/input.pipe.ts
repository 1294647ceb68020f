import { type ArgumentMetadata, Injectable, type Type, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { AppError, type FieldError, MAX_FIELD_ERRORS } from '../errors/app-error.js';
import { UnreadableBody } from './json-body.js';
import { FlatClass } from './flat-class.js';

/**
 * Checks bodies, queries and parameters against their DTO, and leaves out members that no DTO names: whether they are refused depends on
 * the caller, and the interceptors before the pipe have decided it. Nothing is converted, so a number is no text.
 */
@Injectable()
export class InputPipe extends ValidationPipe {
  private readonly flat = new Map<Type<object>, FlatClass | null>();

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
    const { metatype } = metadata;
    if (metatype === undefined || !this.toValidate(metadata)) return value;
    // class-transformer walks through every object that a value refers to, and would never come back from a socket.
    if (!isPlain(value)) throw new AppError('unsupported_media_type');
    return this.readFlat(metatype, value) ?? super.transform(value, metadata);
  }

  private readFlat(metatype: Type<object>, value: unknown): object | null {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    let flat = this.flat.get(metatype);
    if (flat === undefined) this.flat.set(metatype, (flat = FlatClass.of(metatype)));
    return flat?.read(value) ?? null;
  }
}

/** Whether a value is a plain object of JSON or of a query; a parsed query has no prototype, or one without a prototype. */
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
  return flat.slice(0, MAX_FIELD_ERRORS);
}

function pathOf(parent: string, property: string): string {
  if (/^\d+$/.test(property)) return `${parent}[${property}]`;
  return parent === '' ? property : `${parent}.${property}`;
}

/** The one text for a field: a wrong type (`isString`, `isInt` …) comes before a wrong length or size. */
function mostTelling(constraints: Readonly<Record<string, string>>): string[] {
  const broken = Object.entries(constraints);
  const told = broken.find(([name]) => name.startsWith('is')) ?? broken[0];
  return told === undefined ? [] : [told[1]];
}
