import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations.js';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  items?: Schema;
  required?: readonly string[];
  properties?: Record<string, Schema & Record<string, unknown>>;
}

export function limitBatches({ components }: OpenAPIObject, batchSize: number): void {
  const schemas = components!.schemas as Record<string, Schema>;
  for (const name of ['AgentBatchRequest', 'BatchRequest'])
    schemas[name]!.properties!['emails']!['maxItems'] = batchSize;
}

/** A member that may be left out may be null too: class-validator's `@IsOptional()` takes both. */
export function takeNull(document: OpenAPIObject): void {
  for (const { required = [], properties = {} } of requestSchemas(document))
    for (const [name, property] of Object.entries(properties)) {
      if (required.includes(name) || [property.type].flat().includes('null')) continue;
      property.type = [property.type!, 'null'].flat();
      if (property.enum) property.enum = [...property.enum, null];
    }
}

/** In words: generators of types take a member with a `default` for one that must be sent. */
export function tellDefaults({ components }: OpenAPIObject): void {
  const schemas = Object.values(components!.schemas as Record<string, Schema>);
  for (const property of schemas.flatMap(({ properties }) => Object.values(properties ?? {}))) {
    const { default: value, description } = property;
    if (value === undefined) continue;
    delete property['default'];
    property['description'] = [description, `Default: ${JSON.stringify(value)}.`].filter(Boolean).join(' ');
  }
}

/** The schemas that JSON bodies of requests are made of, each once. */
function requestSchemas({ paths, components }: OpenAPIObject): Set<Schema> {
  const found = new Set<Schema>();
  const visit = (schema: Schema | undefined): void => {
    if (schema === undefined || found.has(schema)) return;
    const { $ref, items, properties = {} } = schema;
    if ($ref !== undefined) return visit(components!.schemas![$ref.split('/').at(-1)!] as Schema);
    found.add(schema);
    for (const part of [items, ...Object.values(properties)]) visit(part);
  };
  for (const { operation } of operationsOf(paths)) {
    const { content } = (operation.requestBody ?? {}) as { content?: Record<string, { schema?: Schema }> };
    visit(content?.['application/json']?.schema);
  }
  return found;
}
