import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { operationsOf } from './operations.js';

/** What is told of an operation that will go. */
export interface Deprecation {
  /** The day since when it should not be used, such as `2027-01-31`. */
  readonly since: string;
  /** The day on which it goes; null while none is decided. */
  readonly sunset: string | null;
  /** The path of the page that says what to use instead. */
  readonly instead: string;
}

/** By method and path as the OpenAPI documents spell them: `GET /api/v1/lists/{id}`. */
export type Deprecations = Readonly<Record<string, Deprecation>>;

/** Every operation of the interface that will go. Nothing goes within half a year of its row here (docs/interface.md). */
export const DEPRECATIONS: Deprecations = {};

/**
 * Every reply of these operations, refusals too, says so: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link to what to use
 * instead. Call it before the routes are made.
 */
export function tellDeprecations(fastify: FastifyInstance, deprecations: Deprecations): void {
  const headers = new Map(Object.entries(deprecations).map(([name, one]) => [name, headersOf(one)]));
  if (headers.size === 0) return;
  fastify.addHook('onRequest', (request, reply, done) => {
    const { url = '' } = request.routeOptions;
    // HEAD has the headers of GET (RFC 9110 section 9.3.2).
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const operation = `${method} ${url.replace(/:(\w+)/g, '{$1}')}`;
    // On the raw response: refusals and replies that bypass Fastify have them too.
    for (const [name, value] of headers.get(operation) ?? []) reply.raw.setHeader(name, value);
    done();
  });
}

function headersOf({ since, sunset, instead }: Deprecation): [string, string][] {
  const seconds = new Date(since).getTime() / 1000;
  return [
    ['Deprecation', `@${seconds}`],
    ...(sunset === null ? [] : [['Sunset', new Date(sunset).toUTCString()] as [string, string]]),
    ['Link', `<${instead}>; rel="deprecation"; type="text/html"`],
  ];
}

/** Marks the same operations for readers of the documents and for generators of clients. */
export function markDeprecated(paths: OpenAPIObject['paths'], deprecations: Deprecations): void {
  for (const { method, path, operation } of operationsOf(paths)) {
    if (Object.hasOwn(deprecations, `${method.toUpperCase()} ${path}`)) operation.deprecated = true;
  }
}
