import { applyDecorators, SetMetadata, type Type } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ADVICE_HEADERS } from './verdict-meanings.js';
import { PRESENTED, type Presentable } from './presenter.js';
import { BalanceReply, DailyCreditsBody, FullVerificationReply, VerificationData } from './verification.reply.js';

/** The class that describes a body, or several where it may be one of them. */
type Described = Type | readonly Type[];

/** The two shapes of a body, where they differ: agents get theirs inside `{success, data}`, full accounts without an envelope. */
interface DescribedShapes {
  readonly envelope: Described;
  readonly flat: Described;
  /** Further headers of the reply. */
  readonly headers?: typeof ADVICE_HEADERS;
}

const SHAPES: Readonly<Record<'verification' | 'credits', DescribedShapes>> = {
  verification: { envelope: VerificationData, flat: FullVerificationReply, headers: ADVICE_HEADERS },
  credits: { envelope: DailyCreditsBody, flat: BalanceReply },
};

/**
 * The route returns a body that agents get inside `{success, data}` and full accounts as it is.
 * @param described the class of the body for the documents: `BatchReply`, or `{ envelope: X, flat: Y }`
 */
export function PresentBody(described: Described | DescribedShapes, status = 200): MethodDecorator {
  return present('body', 'envelope' in described ? described : { envelope: described, flat: described }, status);
}

/** The route returns the named result; the caller gets it in the shape of its policy. */
export function Present(name: keyof typeof SHAPES, status = 200): MethodDecorator {
  return present(name, SHAPES[name], status);
}

/** Tells in the documents what each kind of caller may send. */
export function RequestShapes({ envelope, flat }: DescribedShapes): MethodDecorator {
  const shapes = { envelope: schemaOf(envelope), flat: schemaOf(flat) };
  return applyDecorators(
    ApiExtraModels(...modelsOf({ envelope, flat })),
    ApiBody({ required: true, schema: byShape(shapes) }),
  );
}

function present(
  name: keyof Presentable,
  { envelope, flat, headers }: DescribedShapes,
  status: number,
): MethodDecorator {
  const data = schemaOf(envelope);
  const shapes = {
    envelope: {
      type: 'object',
      required: ['success', 'data'],
      properties: { success: { type: 'boolean', enum: [true] }, data },
    },
    flat: schemaOf(flat),
  };
  return applyDecorators(
    SetMetadata(PRESENTED, name),
    ApiExtraModels(...modelsOf({ envelope, flat })),
    ApiResponse({ status, description: 'Done.', schema: byShape(shapes), ...(headers && { headers }) }),
  );
}

/** Each interface has a document of its own, which takes the shape that its callers get. */
function byShape(shapes: { readonly envelope: object; readonly flat: object }): object {
  return { 'x-shapes': shapes };
}

function modelsOf({ envelope, flat }: DescribedShapes): Type[] {
  return [envelope, flat].flat() as Type[];
}

function schemaOf(described: Described): object {
  const references = [described].flat().map((model) => ({ $ref: getSchemaPath(model as Type) }));
  return references.length === 1 ? references[0]! : { oneOf: references };
}
