import type { OpenAPIObject } from '@nestjs/swagger';
import type { KeyPolicy } from '../../platform/config/policies.js';
import { type ErrorResponse, errorResponses, errorSchemas } from './error-responses.js';
import { describeMediaTypes } from './media-types.js';
import { type Interface, needsKey, type Operation, operationsOf, type PlacedOperation } from './operations.js';
import { type OpenApiTexts, type ReplyExamples, showReply } from './reply-examples.js';
import {
  showRequest,
  closeRequests,
  limitBatches,
  takeNull,
  takeOneFormOfCeilings,
  tellDefaults,
} from './request-schemas.js';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Responses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** The document of one interface, cut out of the document of all modules that serve. */
export function interfaceDocument(
  whole: OpenAPIObject,
  { shape, ...of }: Interface,
  texts: ReplyExamples & OpenApiTexts,
  publicUrl: string,
): OpenAPIObject {
  const document = structuredClone(whole);
  const operations = operationsOf(document.paths).filter(({ operation }) => of.includes(operation));
  const errors = new Map<string, ErrorResponse>();
  for (const { operation } of operations) {
    complete(operation, shape);
    showRequest(operation, texts.requests);
    showReply(operation, texts.replies[of.name]);
    for (const error of errorResponses(operation, texts)) {
      errors.set(error.name, error);
      operation.responses[String(error.status)] = { $ref: `#/components/responses/${error.name}` };
    }
    dropExtensions(operation);
  }
  document.info = { ...document.info, title: of.title, description: of.description };
  document.servers = [{ url: publicUrl }];
  document.paths = pathsOf(operations);
  document.tags = tagsOf(operations, texts.tags);
  const schemas = document.components!.schemas as Schemas;
  document.components = {
    ...document.components,
    headers: HEADERS,
    responses: Object.fromEntries([...errors].map(([name, { response }]) => [name, response])) as Responses,
    schemas: { ...schemas, ...errorSchemas(schemas['ErrorBody'] as object, [...errors.values()]) },
  };
  const chosen = chooseShape(document as unknown as Json, shape) as unknown as OpenAPIObject;
  limitBatches(chosen, of.batchSize);
  // Before bodies may be null too.
  if (shape === 'flat') closeRequests(chosen);
  takeNull(chosen);
  takeOneFormOfCeilings(chosen);
  tellDefaults(chosen);
  dropUnused(chosen);
  return chosen;
}

const text = (description: string) => ({ description, schema: { type: 'string' as const } });
const HEADERS = {
  RequestId: text('The id of this request: your own `X-Request-Id`, or ours.'),
  RetryAfter: {
    description: 'Seconds until another try makes sense.',
    schema: { type: 'integer' as const, minimum: 1 },
  },
  Challenge: text('RFC 6750.'),
  RateLimit: text('`"requests";r=9;t=6`: how many requests are left, and the seconds until there is one more.'),
  RateLimitPolicy: text('`"requests";q=10;w=60, "in-flight";q=1;qu="concurrent-requests"`: the limits of the key.'),
};

function complete(operation: Operation, shape: KeyPolicy['shape']): void {
  describeMediaTypes(operation, shape === 'envelope');
  // An empty list says that no key is needed; no list says nothing.
  operation.security ??= [];
  for (const response of Object.values(operation.responses) as { headers?: object }[])
    response.headers = { ...response.headers, ...successHeaders(operation) };
}

function dropExtensions(operation: Operation): void {
  const members = operation as object as Record<string, unknown>;
  for (const name of Object.keys(members)) if (name.startsWith('x-')) delete members[name];
}

function successHeaders(operation: Operation): object {
  return {
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    ...(needsKey(operation) && {
      RateLimit: { $ref: '#/components/headers/RateLimit' },
      'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
    }),
  };
}

function pathsOf(operations: readonly PlacedOperation[]): OpenAPIObject['paths'] {
  const paths: OpenAPIObject['paths'] = {};
  for (const { path, method, operation } of operations) paths[path] = { ...paths[path], [method]: operation };
  return paths;
}

function tagsOf(operations: readonly PlacedOperation[], texts: OpenApiTexts['tags']) {
  const names = new Set(operations.flatMap(({ operation }) => operation.tags ?? []));
  return [...names].map((name) => ({ name, description: texts[name] ?? name }));
}

/** Picks the interface's shape wherever there are several, and adds null to enumerations that may be null. */
function chooseShape(node: Json, shape: KeyPolicy['shape']): Json {
  if (Array.isArray(node)) return node.map((member) => chooseShape(member, shape));
  if (node === null || typeof node !== 'object') return node;
  const shapes = node['x-shapes'];
  if (shapes !== undefined) return chooseShape((shapes as { [name: string]: Json })[shape]!, shape);
  const members = Object.entries(node).map(([name, member]) => [name, chooseShape(member, shape)]);
  const chosen = Object.fromEntries(members) as { type?: Json; enum?: Json[] };
  if (Array.isArray(chosen.type) && chosen.type.includes('null') && chosen.enum && !chosen.enum.includes(null))
    chosen.enum.push(null);
  return chosen;
}

/** Removes the schemas that nothing refers to. */
function dropUnused(document: OpenAPIObject): void {
  const schemas = document.components!.schemas!;
  const used = new Set<string>();
  const visit = (part: unknown): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name!)) continue;
      used.add(name!);
      visit(schemas[name!]);
    }
  };
  visit([document.paths, document.components!.responses]);
  const kept = Object.entries(schemas).filter(([name]) => used.has(name));
  document.components!.schemas = Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}
