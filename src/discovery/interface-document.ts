import type { OpenAPIObject } from '@nestjs/swagger';
import type { KeyPolicy } from '../platform/config/policies.js';
import { errorResponses } from './error-responses.js';
import { describeMediaTypes } from './media-types.js';
import type { Interface } from './interfaces.js';
import { type ReplyExamples, showReply } from './reply-examples.js';
import { needsKey, type Operation, operationsOf, type PlacedOperation } from './operations.js';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Responses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;
type Schemas = Record<string, { properties?: Record<string, Record<string, unknown>> }>;

/** The document of one interface, cut out of the document of everything that serves. */
export function interfaceDocument(
  whole: OpenAPIObject,
  { shape, ...of }: Interface,
  examples: ReplyExamples,
  publicUrl: string,
): OpenAPIObject {
  const document = structuredClone(whole);
  const operations = operationsOf(document.paths).filter(({ operation }) => of.includes(operation));
  const errors: Record<string, object> = {};
  for (const { operation } of operations) {
    complete(operation, shape);
    showReply(operation, examples.replies[of.name]);
    referToErrors(operation, errors, examples);
    dropExtensions(operation);
  }
  document.info = { ...document.info, title: of.title, description: of.description };
  document.servers = [{ url: publicUrl }];
  document.paths = pathsOf(operations);
  document.tags = tagsOf(operations);
  document.components = { ...document.components, headers: HEADERS, responses: errors as Responses };
  const chosen = chooseShape(document as unknown as Json, shape) as unknown as OpenAPIObject;
  limitBatches(chosen.components!.schemas as Schemas, of.batchSize);
  tellDefaults(chosen.components!.schemas as Schemas);
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
  for (const response of Object.values(operation.responses) as { headers?: object }[])
    response.headers = { ...response.headers, ...successHeaders(operation) };
}

/** @param errors the document's responses that operations refer to, filled here */
function referToErrors(operation: Operation, errors: Record<string, object>, examples: ReplyExamples): void {
  for (const { status, name, response } of errorResponses(operation, examples)) {
    errors[name] = response;
    operation.responses[String(status)] = { $ref: `#/components/responses/${name}` };
  }
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

function tagsOf(operations: readonly PlacedOperation[]): { name: string }[] {
  return [...new Set(operations.flatMap(({ operation }) => operation.tags ?? []))].map((name) => ({ name }));
}

/** Takes the shape wherever there are several, and lets an enumeration that may be null name null. */
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

function limitBatches(schemas: Schemas, batchSize: number): void {
  for (const name of ['AgentBatchRequest', 'BatchRequest'])
    schemas[name]!.properties!['emails']!['maxItems'] = batchSize;
}

/** In words: generators of types take a member with a `default` for one that must be sent. */
function tellDefaults(schemas: Schemas): void {
  for (const property of Object.values(schemas).flatMap(({ properties }) => Object.values(properties ?? {}))) {
    const { default: value, description } = property;
    if (value === undefined) continue;
    delete property['default'];
    property['description'] = [description, `Default: ${JSON.stringify(value)}.`].filter(Boolean).join(' ');
  }
}

/** Leaves out the schemas that nothing refers to. */
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
