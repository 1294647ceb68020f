import { applyDecorators, SetMetadata, type Type } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ADVICE_HEADERS } from './verdict-meanings.js';
import { PRESENTED } from './presenter.js';
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
 * The body of an answer that the caller gets in the shape of its policy: agents inside `{success, data}`, full accounts as it is.
 * @param described the class of the body for the documents: `BatchReply`, or `{ envelope: X, flat: Y }`; or the name of a result that
 * `presenter.ts` knows how to show
 */
export function shaped(described: Described | DescribedShapes | keyof typeof SHAPES): ShapedAnswer {
  const name = typeof described === 'string' ? described : 'body';
  const { envelope, flat, headers } = shapesOf(described);
  const data = schemaOf(envelope);
  const shapes = {
    envelope: {
      type: 'object',
      required: ['success', 'data'],
      properties: { success: { type: 'boolean', enum: [true] }, data },
    },
    flat: schemaOf(flat),
  };
  return {
    answersWith: (status) =>
      applyDecorators(
        SetMetadata(PRESENTED, name),
        ApiExtraModels(...modelsOf({ envelope, flat })),
        ApiResponse({ status, description: 'Done.', schema: byShape(shapes), ...(headers && { headers }) }),
      ),
  };
}

/** Tells in the documents what each kind of caller may send. */
export function shapedBody({ envelope, flat }: DescribedShapes): MethodDecorator {
  const shapes = { envelope: schemaOf(envelope), flat: schemaOf(flat) };
  return applyDecorators(
    ApiExtraModels(...modelsOf({ envelope, flat })),
    ApiBody({ required: true, schema: byShape(shapes) }),
  );
}

function shapesOf(described: Described | DescribedShapes | keyof typeof SHAPES): DescribedShapes {
  if (typeof described === 'string') return SHAPES[described];
  return 'envelope' in described ? described : { envelope: described, flat: described };
}

/** What a route answers with, by its status: an `Answer` of `Route`. */
interface ShapedAnswer {
  readonly answersWith: (status: number) => MethodDecorator;
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
