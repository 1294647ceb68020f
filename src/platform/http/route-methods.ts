import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.js';

/** Answers 405 with `Allow` when a route knows the path with another method, else 404; behind the hooks that ask who calls. */
export function refuseOtherMethods(fastify: FastifyInstance): void {
  const methods = new RouteMethods();
  fastify.addHook('onRoute', (route) => methods.add(route.url, route.method));
  fastify.addHook('preParsing', (request, _reply, _payload, done) => {
    const allowed = request.is404 ? methods.of(request.url) : [];
    done(
      allowed.length > 0 ? new AppError('method_not_allowed', { headers: { Allow: allowed.join(', ') } }) : undefined,
    );
  });
}

/** The methods of each path, for the `Allow` of a request with another method. */
export class RouteMethods {
  private readonly routes = new Map<string, { readonly path: RegExp; readonly methods: Set<string> }>();

  /** @param pattern a route in Fastify's notation, such as `/verify/batch/:id` or `/docs/*` */
  add(pattern: string, methods: string | readonly string[]): void {
    const known = this.routes.get(pattern) ?? { path: toRegExp(pattern), methods: new Set() };
    for (const method of [methods].flat()) known.methods.add(method);
    this.routes.set(pattern, known);
  }

  /** @param url path and query as they were sent; empty for a path that no route knows */
  of(url: string): string[] {
    const path = url.replace(/[?#].*$/s, '');
    const matching = [...this.routes.values()].filter((route) => route.path.test(path));
    return [...new Set(matching.flatMap((route) => [...route.methods]))].sort();
  }
}

function toRegExp(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:\w+/g, '[^/]+')
    .replace(/\*/g, '.*');
  return new RegExp(`^${source}$`);
}
