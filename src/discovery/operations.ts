import type { OpenAPIObject } from '@nestjs/swagger';

export type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']> & {
  /** The audience, when the operation is not for every account: see `keys/audience.ts`. */
  readonly 'x-audience'?: 'agent' | 'full' | 'admin';
  /** The refusals of its own work: see `Route` of `keys/route.decorator.ts`. */
  readonly 'x-errors'?: readonly string[];
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export type Method = (typeof METHODS)[number];

export interface PlacedOperation {
  readonly path: string;
  readonly method: Method;
  readonly operation: Operation;
}

export function operationsOf(paths: OpenAPIObject['paths']): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation: Operation | undefined = item[method];
      return operation === undefined ? [] : [{ path, method, operation }];
    }),
  );
}

export function needsKey({ security }: Operation): boolean {
  return security !== undefined && security.length > 0;
}

export function isForAdministrators(operation: Operation): boolean {
  return operation['x-audience'] === 'admin';
}
