import type { OpenAPIObject } from '@nestjs/swagger';
import { CEILINGS } from '../../keys/scope/ceilings.js';
import type { OpenApiTexts } from './reply-examples.js';
import { needsKey, type Operation, operationsOf } from './operations.js';

/** Adds its example to an operation's JSON body. */
export function showRequest(operation: Operation, examples: OpenApiTexts['requests']): void {
  const { content } = (operation.requestBody ?? {}) as { content?: Record<string, { example?: object }> };
  const json = content?.['application/json'];
  const example = examples[operation.operationId ?? ''];
  if (json !== undefined && example !== undefined) json.example = example;
}

interface RequestBody {
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, { schema: Schema }>>;
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  not?: object;
  required?: readonly string[];
  additionalProperties?: boolean;
  properties?: Record<string, Schema & Record<string, unknown>>;
}

export function limitBatches({ components }: OpenAPIObject, batchSize: number): void {
  const schemas = components!.schemas as Record<string, Schema>;
  for (const name of ['AgentBatchRequest', 'BatchRequest'])
    schemas[name]!.properties!['emails']!['maxItems'] = batchSize;
}

/** Full accounts and administrators are refused for members that are not named, as the check of input does it. */
export function closeRequests(document: OpenAPIObject): void {
  for (const schema of requestSchemas(document, needsKey))
    if (schema.properties !== undefined) schema.additionalProperties = false;
}

/** Ceilings have two forms, of which a body has one. */
export function takeOneFormOfCeilings(document: OpenAPIObject): void {
  for (const schema of requestSchemas(document))
    if (schema.properties !== undefined && 'ceilings' in schema.properties)
      schema.not = {
        anyOf: CEILINGS.map((name) => ({ properties: { ceilings: {}, [name]: {} }, required: ['ceilings', name] })),
      };
}

/** Optional bodies and members may be null too: Nest's pipe and class-validator's `@IsOptional()` take both. */
export function takeNull(document: OpenAPIObject): void {
  for (const { required = [], properties = {} } of requestSchemas(document))
    for (const [name, property] of Object.entries(properties)) {
      if (required.includes(name) || [property.type].flat().includes('null')) continue;
      // Nest gives every other member a type: this one takes anything.
      if (property.anyOf) {
        delete property.anyOf;
        continue;
      }
      if (property.oneOf) property.oneOf = [...property.oneOf, { type: 'null' }];
      else property.type = [property.type!, 'null'].flat();
      if (property.enum) property.enum = [...property.enum, null];
    }
  for (const { json, isRequired } of jsonBodies(document))
    if (!isRequired) json.schema = { oneOf: [json.schema, { type: 'null' }] };
}

/** The description names the default, because generators of types treat a member with a `default` as required. */
export function tellDefaults({ components }: OpenAPIObject): void {
  const schemas = Object.values(components!.schemas as Record<string, Schema>);
  for (const property of schemas.flatMap(({ properties }) => Object.values(properties ?? {}))) {
    const { default: value, description } = property;
    if (value === undefined) continue;
    delete property['default'];
    property['description'] = [description, `Default: ${JSON.stringify(value)}.`].filter(Boolean).join(' ');
  }
}

/** The schemas of JSON request bodies and their parts, each once. */
function requestSchemas(document: OpenAPIObject, of: (operation: Operation) => boolean = () => true): Set<Schema> {
  const found = new Set<Schema>();
  const visit = (schema: Schema | undefined): void => {
    if (schema === undefined || found.has(schema)) return;
    const { $ref, items, oneOf = [], properties = {} } = schema;
    if ($ref !== undefined) return visit(document.components!.schemas![$ref.split('/').at(-1)!] as Schema);
    found.add(schema);
    for (const part of [items, ...oneOf, ...Object.values(properties)]) visit(part);
  };
  for (const { json, operation } of jsonBodies(document)) if (of(operation)) visit(json.schema);
  return found;
}

function jsonBodies({
  paths,
}: OpenAPIObject): { json: { schema: Schema }; isRequired: boolean; operation: Operation }[] {
  return operationsOf(paths).flatMap(({ operation }) => {
    const { content, required = false } = (operation.requestBody ?? {}) as RequestBody;
    const json = content?.['application/json'];
    return json === undefined ? [] : [{ json, isRequired: required, operation }];
  });
}
