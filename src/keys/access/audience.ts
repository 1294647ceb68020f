import type { Type } from '@nestjs/common';

/** The keys that a route accepts: any account's, unless it says otherwise; `any` takes those of administrators too. */
export type Audience = 'account' | 'full' | 'admin' | 'any';

export const AUDIENCE = 'audience';

/** Under which a route says what permissions a key needs. */
export const NEEDS = 'needs';

/** Under which a route says what else a part of its work needs. */
export const MAY_NEED = 'may need';

/**
 * What a key needs for a route. A tool of MCP needs what its route needs.
 * @throws Error for a route that takes a key and is not declared by `Route` or `AdminRoute` of `route.decorator.ts`
 */
export function neededFor<Routes extends object>(controller: Type<Routes>, route: keyof Routes): readonly string[] {
  return needsOf((controller.prototype as Routes)[route] as object);
}

/** @param handler the method of a controller */
export function needsOf(handler: object): readonly string[] {
  const needs = Reflect.getMetadata(NEEDS, handler) as readonly string[] | undefined;
  if (needs === undefined) throw new Error('A route that takes a key must say what permissions it needs');
  return needs;
}
