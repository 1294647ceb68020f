import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkDescribed } from '../support/described.js';
import { goldenFile, goldenText } from '../support/golden.js';
import { startService, type TestService } from '../support/service.js';

// oxlint-disable-next-line typescript/no-explicit-any
type Document = any;

const INTERFACES = [
  ['agent-openapi', '/agent-gateway/openapi.json'],
  ['openapi', '/api/v1/openapi.json'],
] as const;

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { publicUrl: 'https://mailsonde.example' } });
});

afterAll(() => service.close());

const fetchDocument = async (path: string): Promise<Document> => (await fetch(service.url + path)).json();
const operationsOf = ({ paths }: Document): Document[] =>
  Object.values(paths).flatMap((item) => Object.values(item as object));

describe.each(INTERFACES)('the %s document', (name, path) => {
  it('is the one that was agreed on (npm run golden)', async () => {
    await expect(goldenText(await fetchDocument(path))).toMatchFileSnapshot(goldenFile(`${name}.json`));
  });

  it('is valid OpenAPI 3.1', async () => {
    const document = await fetchDocument(path);
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } });
  });

  it('names its operations for the clients that are generated from it', async () => {
    const operations = operationsOf(await fetchDocument(path));
    const names = operations.map(({ operationId }) => operationId as string);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name, 'give @ApiOperation() an operationId').toMatch(/^[a-z][A-Za-z]+$/);
    for (const { operationId, tags, summary } of operations)
      expect([operationId, tags?.length, typeof summary]).toEqual([operationId, 1, 'string']);
  });

  it('describes the body of every reply', async () => {
    const document = await fetchDocument(path);
    for (const { operationId, responses } of operationsOf(document))
      for (const [status, { $ref, content }] of Object.entries<Document>(responses)) {
        if ($ref !== undefined) continue;
        const schemas = Object.values<Document>(content ?? {}).map(({ schema }) => schema);
        expect(schemas.length > 0, `${operationId} ${status}`).toBe(status !== '204');
        for (const schema of schemas) expect(Object.keys(schema), `${operationId} ${status}`).not.toEqual([]);
      }
  });

  it('shows replies that are as it describes them', async () => {
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

  it('leaves out what is only for our own use', async () => {
    expect(JSON.stringify(await fetchDocument(path))).not.toMatch(/"x-(?!amz)/);
  });
});
