import { Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { ErrorCode } from '../errors/error-catalog.js';
import { readId, readUuid } from './ids.js';
import { ID_SCHEMA } from './schemas.js';

/** The `:id` of a route, a number, with its documentation. */
export function IdParam(refusal: ErrorCode): ParameterDecorator {
  const read = Param('id', { transform: (text: string) => readId(text, refusal) });
  return (controller, name, place) => {
    read(controller, name, place);
    ApiParam({ name: 'id', schema: ID_SCHEMA })(controller, name!, Object.getOwnPropertyDescriptor(controller, name!)!);
  };
}

/** The `:id` of a route, a UUID. */
export const UuidParam = (refusal: ErrorCode): ParameterDecorator =>
  Param('id', { transform: (text: string) => readUuid(text, refusal) });
