import { applyDecorators, SetMetadata, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { Presentable } from './presenter.js';
import { BalanceReply, DailyCreditsReply, FullVerificationReply, VerificationReply } from './response-schemas.js';

export const PRESENTED = 'presented';

/** The shapes of each reply, for the documents: the agents' envelope and the full accounts' object. */
const SCHEMAS: Readonly<Record<'verification' | 'credits', readonly [envelope: Type, flat: Type]>> = {
  verification: [VerificationReply, FullVerificationReply],
  credits: [DailyCreditsReply, BalanceReply],
};

/** The route returns a body that differs by shape in its envelope alone. */
export const PresentBody = (): MethodDecorator => SetMetadata(PRESENTED, 'body' satisfies keyof Presentable);

/** The route returns the named result; the caller gets it in the shape of its policy. */
export function Present(name: keyof typeof SCHEMAS, status = 200): MethodDecorator {
  const [envelope, flat] = SCHEMAS[name];
  const oneOf = [envelope, flat].map((model) => ({ $ref: getSchemaPath(model) }));
  return applyDecorators(
    SetMetadata(PRESENTED, name),
    ApiExtraModels(envelope, flat),
    ApiResponse({ status, schema: { oneOf }, description: 'In an envelope for agent keys, flat for full accounts.' }),
  );
}
