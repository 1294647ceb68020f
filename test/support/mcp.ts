import { type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsTo from 'ajv-formats';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'vitest';

type Service = { readonly url: string };
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

export interface McpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

export interface McpPost {
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One HTTP request to `/mcp`, of whatever it is: a text goes out as it stands. */
export async function post(service: Service, body: unknown, { key, headers = {} }: McpPost = {}): Promise<McpReply> {
  const response = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

export const request = (method: string, params?: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params !== undefined && { params }),
});

export interface ToolReply {
  readonly headers: Headers;
  readonly isError: boolean;
  readonly result: Json;
  readonly isReplayed: boolean;
}

/** A call of a tool. What comes back must be as the tool declares it, refusals too, and the same as text. */
export async function callTool(
  service: Service,
  name: string,
  given: object,
  options: McpPost = {},
): Promise<ToolReply> {
  const { status, headers, body } = await post(service, request('tools/call', { name, arguments: given }), options);
  expect([status, body.error], name).toEqual([200, undefined]);
  const { structuredContent, content, isError = false, _meta } = body.result;
  expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  expect(structuredContent.success).toBe(!isError);
  const validate = await validatorOf(service, name, isError);
  expect(validate(structuredContent) ? [] : validate.errors, JSON.stringify(structuredContent)).toEqual([]);
  return { headers, isError, result: structuredContent, isReplayed: _meta !== undefined };
}

const validators = new Map<string, ValidateFunction>();

async function validatorOf(service: Service, name: string, isError: boolean): Promise<ValidateFunction> {
  if (validators.size === 0) {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormatsTo.default(ajv);
    const { body } = await post(service, request('tools/list'));
    for (const tool of body.result.tools) {
      validators.set(`${tool.name} true`, ajv.compile(tool.outputSchema));
      validators.set(`${tool.name} false`, ajv.compile(resultSchema(tool.outputSchema)));
    }
  }
  return validators.get(`${name} ${isError}`)!;
}

/** Members can be added or left out, but here a result has all that are declared but those of refusals, and no others. */
function resultSchema({ properties, ...schema }: Json): Json {
  const { code: _, error: __, ...own } = properties;
  return closed({ ...schema, properties: own, required: Object.keys(own) });
}

function closed(node: Json): Json {
  if (Array.isArray(node)) return node.map(closed);
  if (node === null || typeof node !== 'object') return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, member]) => [name, closed(member)]));
  const isWhole = copy['oneOf'] === undefined && copy['additionalProperties'] === undefined;
  if (copy['type'] === 'object' && copy['properties'] && isWhole) copy['additionalProperties'] = false;
  return copy;
}

export interface Connected {
  readonly client: Client;
  readonly protocolVersion: string | undefined;
}

/** The SDK's own client, which speaks as a client of that version does. */
export async function connect(service: Service, version: string, key?: string): Promise<Connected> {
  const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
    requestInit: { headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }) } },
    fetch: (url, init) => fetch(url, { ...init, body: asVersion(init?.body, version) } as RequestInit),
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return { client, protocolVersion: transport.protocolVersion };
}

/** The client always asks for its newest. */
function asVersion(body: unknown, version: string): unknown {
  if (typeof body !== 'string') return body;
  const message = JSON.parse(body) as { method?: string; params?: object };
  if (message.method !== 'initialize') return body;
  return JSON.stringify({ ...message, params: { ...message.params, protocolVersion: version } });
}
