import { createMcpHandler, McpServer, ProtocolError, ProtocolErrorCode, type Tool } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { HOUR_MS } from '../lib/durations.js';
import { APP, appContents } from './apps.js';
import type { MessageHeaders } from './message.js';
import { APP_CAPABILITIES, CAPABILITIES, type Serving, toolResult, unknownResource, unknownTool } from './protocol.js';

/* As for the older versions, one that never has anything to validate. */
const validator = new AjvJsonSchemaValidator();

/* The introduction and the app are the same for everybody and change with a release; the tools are those of the caller's key. */
const CACHE_HINTS = {
  'server/discover': { ttlMs: HOUR_MS, cacheScope: 'public' },
  'resources/list': { ttlMs: HOUR_MS, cacheScope: 'public' },
  'resources/read': { ttlMs: HOUR_MS, cacheScope: 'public' },
  'tools/list': { ttlMs: 300_000, cacheScope: 'private' },
} as const;

/**
 * The answer of 2026-07-28, whose messages say by themselves which version they speak. The SDK holds headers and `_meta` against
 * each other, and answers by one JSON document, because no tool sends anything before its result.
 */
export async function answerModern(message: object, headers: MessageHeaders, serving: Serving): Promise<Response> {
  const handler = createMcpHandler(() => serverOf(serving), { legacy: 'reject' });
  const request = new Request(serving.url, { method: 'POST', headers: headersOf(headers) });
  return handler.fetch(request, { parsedBody: message });
}

function headersOf({ version, method, name }: MessageHeaders): Headers {
  return new Headers({
    'content-type': 'application/json',
    ...(version !== undefined && { 'mcp-protocol-version': version }),
    ...(method !== undefined && { 'mcp-method': method }),
    ...(name !== undefined && { 'mcp-name': name }),
  });
}

function serverOf({ info, instructions, tools, hasApp, call }: Serving): McpServer {
  const options = { instructions, jsonSchemaValidator: validator, cacheHints: CACHE_HINTS };
  const server = new McpServer(info, options);
  server.server.registerCapabilities(hasApp ? APP_CAPABILITIES : CAPABILITIES);
  server.server.setRequestHandler('tools/list', () => ({ tools: [...tools] as unknown as Tool[] }));
  server.server.setRequestHandler('tools/call', async ({ params }) => {
    const called = await call(params.name, params.arguments ?? {});
    if (called === null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(params.name));
    return toolResult(called);
  });
  if (!hasApp) return server;
  server.server.setRequestHandler('resources/list', () => ({ resources: [APP] }));
  server.server.setRequestHandler('resources/read', ({ params }) => {
    if (params.uri !== APP.uri)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownResource(params.uri), { uri: params.uri });
    return { contents: [appContents()] };
  });
  return server;
}
