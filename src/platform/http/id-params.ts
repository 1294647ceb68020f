import { Param } from '@nestjs/common';
import { ApiParam, type ApiParamOptions } from '@nestjs/swagger';
import type { ErrorCode } from '../errors/error-catalog.js';
import { ID_SCHEMA, readId, readUuid } from './ids.js';

const ID_REFUSALS = 'refusals';

/** The refusals of the ids in a route's path, which its documents tell of. */
export const idRefusalsOf = (handler: object): readonly ErrorCode[] =>
  (Reflect.getMetadata(ID_REFUSALS, handler) ?? []) as ErrorCode[];

/** The `:id` of a route, a number. */
export const IdParam = (refusal: ErrorCode): ParameterDecorator =>
  documentedParam((text) => readId(text, refusal), refusal, { schema: ID_SCHEMA });

/** The `:id` of a route, a name that its service knows or refuses. */
export const NameParam = (refusal: ErrorCode, told: ParamDocs): ParameterDecorator =>
  documentedParam((text) => text, refusal, told);

/** The `:id` of a route, a UUID. */
export const UuidParam = (refusal: ErrorCode): ParameterDecorator =>
  idParam((text) => readUuid(text, refusal), refusal);

/** What documents tell of the `:id`, where they do not see it by themselves. */
type ParamDocs = Omit<Extract<ApiParamOptions, { schema: unknown }>, 'name'>;

function documentedParam(
  transform: (text: string) => unknown,
  refusal: ErrorCode,
  told: ParamDocs,
): ParameterDecorator {
  const read = idParam(transform, refusal);
  return (controller, name, place) => {
    read(controller, name, place);
    ApiParam({ ...told, name: 'id' })(controller, name!, Object.getOwnPropertyDescriptor(controller, name!)!);
  };
}

function idParam(transform: (text: string) => unknown, refusal: ErrorCode): ParameterDecorator {
  const param = Param('id', { transform });
  return (controller, name, place) => {
    param(controller, name, place);
    const handler = (controller as Record<string | symbol, object>)[name!]!;
    Reflect.defineMetadata(ID_REFUSALS, [...idRefusalsOf(handler), refusal], handler);
  };
}
