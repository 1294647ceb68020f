import { type INestApplication, RequestMethod } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { AUDIENCE, type Audience } from '../../src/keys/access/audience.js';
import { PUBLIC } from '../../src/platform/http/public.decorator.js';

export interface Route {
  readonly method: string;
  /** Such as `/api/v1/keys/:id/rotate`. */
  readonly path: string;
  /** Whose keys it takes; null when it needs none. */
  readonly audience: Audience | null;
  readonly controller: new () => object;
  /** The name of its method. */
  readonly handler: string;
}

const known = new WeakMap<INestApplication, readonly Route[]>();

/** Every route of the application, as its controllers declare them; looked for once, since tests ask at each of their cases. */
export function routesOf(app: INestApplication): readonly Route[] {
  const routes = known.get(app) ?? findRoutes(app);
  known.set(app, routes);
  return routes;
}

function findRoutes(app: INestApplication): Route[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap(({ controllers: own }) => [...own.values()]);
  return controllers.flatMap(({ metatype }) => routesOfController(metatype as new () => object));
}

function routesOfController(controller: new () => object): Route[] {
  const prefixes = [Reflect.getMetadata('path', controller) ?? ''].flat() as string[];
  const prototype = controller.prototype as Record<string, object>;
  // Those of the classes that it extends too.
  const handlers = new MetadataScanner()
    .getAllMethodNames(prototype)
    .map((name) => [name, prototype[name]!] as const)
    .filter(([, handler]) => Reflect.hasMetadata('method', handler));
  return handlers.flatMap(([name, handler]) => {
    const told = (fact: string): unknown => Reflect.getMetadata(fact, handler) ?? Reflect.getMetadata(fact, controller);
    const method = RequestMethod[Reflect.getMetadata('method', handler) as RequestMethod];
    const audience = told(PUBLIC) === true ? null : ((told(AUDIENCE) ?? 'account') as Audience);
    const paths = [Reflect.getMetadata('path', handler) as string | string[]].flat();
    return prefixes.flatMap((prefix) =>
      paths.map((path) => ({ method, path: joined(prefix, path), audience, controller, handler: name })),
    );
  });
}

/** The path with what it names: a thing, and an event that can be sampled. */
export function pathWith(path: string, id: string): string {
  return path
    .replace(':id', id)
    .replace(':name', 'webhooks')
    .replace(':list', 'psbl')
    .replace(':event', 'batch.completed');
}

function joined(...parts: string[]): string {
  return `/${parts
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .join('/')}`;
}
