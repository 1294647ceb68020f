import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CATALOG, type ErrorCode } from '../../src/platform/errors/error-catalog.js';
import { createFullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { call, register } from '../support/call.js';
import { checkDescribed } from '../support/described.js';
import { goldenFile, goldenText } from '../support/golden.js';
import { startService, type TestService } from '../support/service.js';

// oxlint-disable-next-line typescript/no-explicit-any
type Document = any;

const INTERFACES = [
  ['agent-openapi', '/agent-gateway/openapi.json'],
  ['openapi', '/api/v1/openapi.json'],
  ['admin-openapi', '/admin/v1/openapi.json'],
] as const;

/** The id of nothing. */
const NOTHING = '00000000-0000-4000-8000-000000000000';

let service: TestService;
let keys: Readonly<Record<string, string>>;

beforeAll(async () => {
  service = await startService({
    env: { publicUrl: 'https://mailsonde.example', registrationsPerHour: 1000, registrationsPerDay: 1000, role: 'api' },
  });
  keys = {
    'agent-openapi': await register(service),
    openapi: (await createFullAccount({ url: service.env.databaseUrl })).liveKey,
    'admin-openapi': await createAdminKey(service),
  };
});

afterAll(() => service.close());

const fetched = new Map<string, Promise<Document>>();

/** Asked for once: each test looks at the same document. */
function fetchDocument(path: string): Promise<Document> {
  const headers = { authorization: `Bearer ${keys['admin-openapi']}` };
  const document = fetched.get(path) ?? fetch(service.url + path, { headers }).then((reply) => reply.json());
  fetched.set(path, document);
  return document;
}

const operationsOf = ({ paths }: Document): Document[] =>
  Object.values(paths).flatMap((item) => Object.values(item as object));

describe.each(INTERFACES)('the %s document', (name, path) => {
  it('a document is the one that was agreed on (npm run golden)', async () => {
    await expect(goldenText(await fetchDocument(path))).toMatchFileSnapshot(goldenFile(`${name}.json`));
  });

  it('a document is valid OpenAPI 3.1', async () => {
    const document = await fetchDocument(path);
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } });
  });

  it('a document names its operations for the clients that are generated from it', async () => {
    const operations = operationsOf(await fetchDocument(path));
    const names = operations.map(({ operationId }) => operationId as string);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name, 'give @ApiOperation() an operationId').toMatch(/^[a-z][A-Za-z]+$/);
    for (const { operationId, tags, summary } of operations)
      expect([operationId, tags?.length, typeof summary]).toEqual([operationId, 1, 'string']);
  });

  it('a document tells of every tag more than its name', async () => {
    const { tags } = await fetchDocument(path);
    for (const tag of tags) expect(tag.description, `add ${tag.name} to config/openapi.json`).not.toBe(tag.name);
  });

  it('a document says of every object what it holds', async () => {
    const empty: string[] = [];
    const visit = (node: Document, at: string): void => {
      if (node === null || typeof node !== 'object') return;
      const isObject = [node.type].flat().includes('object');
      if (isObject && !node.properties && node.additionalProperties === undefined) empty.push(at);
      for (const [name, member] of Object.entries(node)) if (!/^examples?$/.test(name)) visit(member, `${at}/${name}`);
    };
    visit(await fetchDocument(path), '');
    expect(empty).toEqual([]);
  });

  it('a document names the codes of every error once a status, and shows each with a body that has it', async () => {
    const document = await fetchDocument(path);
    const { responses, schemas } = document.components;
    for (const operation of operationsOf(document))
      for (const [status, { $ref }] of Object.entries<Document>(operation.responses)) {
        if (Number(status) < 400) continue;
        const { description, content } = responses[$ref.split('/').at(-1)];
        const { schema, examples } = content['application/json'];
        expect(schema).toEqual({ $ref: `#/components/schemas/Error${status}` });
        const told = [...description.matchAll(/^- `(\w+)`/gm)].map(([, code]) => code);
        expect(Object.keys(examples)).toEqual(told);
        for (const [code, { value }] of Object.entries<Document>(examples)) {
          expect([value.code, String(ERROR_CATALOG[code as ErrorCode][0])]).toEqual([code, status]);
          expect(schemas[`Error${status}`].properties.code.enum).toContain(code);
        }
      }
  });

  it('a document does not say that a key is a JWT', async () => {
    const { securitySchemes } = (await fetchDocument(path)).components;
    expect(Object.values<Document>(securitySchemes)).toEqual([
      { type: 'http', scheme: 'bearer', description: expect.any(String) },
    ]);
  });

  it('a document shows on every JSON body what one looks like, without a time limit that a page would send unasked', async () => {
    for (const { operationId, requestBody } of operationsOf(await fetchDocument(path))) {
      const json = requestBody?.content['application/json'];
      if (json === undefined) continue;
      expect(json.example, `add ${operationId} to config/openapi.json`).toBeDefined();
      expect(json.example).not.toHaveProperty('timeout_ms');
    }
  });

  it('a document is right that what may be left out of a JSON body may be null too, and is of no other type', async () => {
    const document = await fetchDocument(path);
    let asked = 0;
    for (const [pattern, item] of Object.entries<Document>(document.paths))
      for (const [method, { requestBody, parameters = [] }] of Object.entries<Document>(item)) {
        const json = requestBody?.content['application/json'];
        if (json === undefined) continue;
        const named = (json.schema.oneOf?.[0] ?? json.schema).$ref.split('/').at(-1);
        const { properties, required = [] } = document.components.schemas[named];
        const { schema: id } = parameters.find((one: Document) => one.in === 'path') ?? {};
        const url = pattern.replace('{id}', id?.type === 'integer' ? '1' : NOTHING);
        const refusal = async (member: string, value: unknown): Promise<string | undefined> => {
          // An agent of its own each time: it may ask ten times a minute, and there are more members.
          const key = name === 'agent-openapi' ? await register(service) : keys[name];
          const { body } = await call(service, url, {
            method: method.toUpperCase(),
            key,
            body: { ...json.example, [member]: value },
          });
          return body.fields?.find(({ field }: { field: string }) => field.split('.')[0] === member)?.error;
        };
        for (const member of Object.keys(properties).filter((one) => !required.includes(one))) {
          const what = `${member} of ${method} ${pattern}`;
          const { type, oneOf = [] } = properties[member];
          const types = [type, ...oneOf.map((one: Document) => one.type)].flat();
          expect(types, what).toContain('null');
          const wrong = await refusal(member, { is: 'an object' });
          expect(wrong, what).toBeDefined();
          expect(await refusal(member, null), what).not.toBe(wrong);
          asked += 1;
        }
      }
    expect(asked).toBeGreaterThan(1);
  });

  it('a document describes the body of every reply', async () => {
    const document = await fetchDocument(path);
    for (const { operationId, responses } of operationsOf(document))
      for (const [status, { $ref, content }] of Object.entries<Document>(responses)) {
        if ($ref !== undefined) continue;
        const schemas = Object.values<Document>(content ?? {}).map(({ schema }) => schema);
        expect(schemas.length > 0, `${operationId} ${status}`).toBe(status !== '204');
        for (const schema of schemas) expect(Object.keys(schema), `${operationId} ${status}`).not.toEqual([]);
      }
  });

  it('a document shows replies that are as it describes them', async () => {
    const { paths } = await fetchDocument(path);
    const key = name === 'openapi' ? 'ms_live_' : 'ms_agent_';
    const shown = Object.entries<Document>(paths).flatMap(([pattern, item]) =>
      Object.entries<Document>(item).flatMap(([method, { responses }]) =>
        Object.entries<Document>(responses).flatMap(([status, { content }]) => {
          const body = content?.['application/json']?.example;
          return body === undefined ? [] : [{ method, path: pattern, key, status: Number(status), body }];
        }),
      ),
    );
    expect(shown.length).toBeGreaterThan(7);
    for (const reply of shown) checkDescribed(reply);
  });

  it('a document leaves out what is only for our own use', async () => {
    expect(JSON.stringify(await fetchDocument(path))).not.toMatch(/"x-(?!amz)/);
  });
});
