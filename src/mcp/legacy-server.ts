import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { APP, appContents } from './apps.js';
import type { LegacyMessage } from './legacy-message.js';
import type { MessageHeaders } from './message.js';
import { APP_CAPABILITIES, CAPABILITIES, type Serving, toolResult, unknownResource, unknownTool } from './protocol.js';

/*
 * All servers share one validator, which never has anything to validate because the service asks clients nothing; making one for
 * each request is expensive.
 */
const validator = new AjvJsonSchemaValidator();

/** The answer of the versions that begin with `initialize`: to each message by itself, since there are no sessions. */
export async function answerLegacy(
  message: LegacyMessage,
  { version }: MessageHeaders,
  serving: Serving,
): Promise<Response> {
  const server = serverOf(serving);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    // The reply is always JSON, but the SDK wants clients to take event streams too.
    const headers = new Headers({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(version !== undefined && { 'mcp-protocol-version': version }),
    });
    return await transport.handleRequest(new Request(serving.url, { method: 'POST', headers }), {
      parsedBody: message,
    });
  } finally {
    await server.close();
  }
}

function serverOf({ info, instructions, tools, hasApp, call }: Serving): McpServer {
  const server = new McpServer(info, { instructions, jsonSchemaValidator: validator });
  // The SDK's constructor turns a capability of its options into `listChanged: true`.
  server.server.registerCapabilities(hasApp ? APP_CAPABILITIES : CAPABILITIES);
  server.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools] as unknown as Tool[] }));
  server.server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const called = await call(params.name, params.arguments ?? {});
    if (called === null) throw new McpError(ErrorCode.InvalidParams, unknownTool(params.name));
    return toolResult(called);
  });
  if (!hasApp) return server;
  server.server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [APP] }));
  server.server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => {
    if (params.uri !== APP.uri) throw new McpError(ErrorCode.InvalidParams, unknownResource(params.uri));
    return { contents: [appContents()] };
  });
  return server;
}
