import { Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { ErrorCode } from '../errors/error-catalog.js';
import { readId, readUuid } from './ids.js';
import { ID_SCHEMA } from './schemas.js';

const REFUSALS = 'refusals';

/** The refusals of the ids in a route's path, which its documents tell of. */
export const idRefusalsOf = (handler: object): readonly ErrorCode[] =>
  (Reflect.getMetadata(REFUSALS, handler) ?? []) as ErrorCode[];

/** The `:id` of a route, a number. */
export function IdParam(refusal: ErrorCode): ParameterDecorator {
  const read = idParam((text) => readId(text, refusal), refusal);
  return (controller, name, place) => {
    read(controller, name, place);
    ApiParam({ name: 'id', schema: ID_SCHEMA })(controller, name!, Object.getOwnPropertyDescriptor(controller, name!)!);
  };
}

/** The `:id` of a route, a UUID. */
export const UuidParam = (refusal: ErrorCode): ParameterDecorator =>
  idParam((text) => readUuid(text, refusal), refusal);

function idParam(transform: (text: string) => unknown, refusal: ErrorCode): ParameterDecorator {
  const param = Param('id', { transform });
  return (controller, name, place) => {
    param(controller, name, place);
    const handler = (controller as Record<string | symbol, object>)[name!]!;
    Reflect.defineMetadata(REFUSALS, [...idRefusalsOf(handler), refusal], handler);
  };
}
