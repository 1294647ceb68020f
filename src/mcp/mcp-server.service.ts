import { Inject, Injectable } from '@nestjs/common';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool as ProtocolTool,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { ENV, type Env } from '../platform/config/env.js';
import { KEY_POLICIES, type KeyPolicies } from '../platform/config/policies.js';
import { PRODUCT } from '../platform/product.js';
import type { McpCaller } from './mcp-caller.js';
import { mcpUrl } from './mcp-endpoint.js';
import type { McpMessage } from './mcp-message.js';
import { PROTOCOL_VERSIONS } from './protocol-versions.js';
import type { Tool } from './tool.js';
import { type Called, ToolCallsService } from './tool-calls.service.js';
import { describeTool, MCP_TOOLS, type ToolDescription } from './tool-list.js';

/** The server's introduction of itself to clients that connect and in the server card. */
export interface McpDescription {
  readonly url: string;
  /** Newest first. */
  readonly protocolVersions: readonly string[];
  readonly capabilities: typeof CAPABILITIES;
  readonly instructions: string;
  readonly tools: readonly ToolDescription[];
}

/* Without a session there is nobody to notify: a client with a new key lists the tools again when it reconnects. */
const CAPABILITIES = { tools: { listChanged: false } } as const;

/*
 * All servers share one validator, which never has anything to validate because the service asks clients nothing; making one for
 * each request is expensive.
 */
const validator = new AjvJsonSchemaValidator();

/** Answers messages of the Model Context Protocol, each by itself: there are no sessions. */
@Injectable()
export class McpServerService {
  private readonly described: ReadonlyMap<string, ToolDescription>;

  constructor(
    private readonly calls: ToolCallsService,
    @Inject(MCP_TOOLS) private readonly tools: readonly Tool[],
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
    @Inject(ENV) private readonly env: Env,
  ) {
    this.described = new Map(tools.map((tool) => [tool.name, describeTool(tool)]));
  }

  describe(): McpDescription {
    return {
      url: mcpUrl(this.env),
      protocolVersions: PROTOCOL_VERSIONS,
      capabilities: CAPABILITIES,
      instructions: this.instructions(),
      tools: [...this.described.values()],
    };
  }

  /** The protocol's own answer to any one message. */
  async answer(message: McpMessage, headers: Headers, caller: McpCaller): Promise<Response> {
    const server = this.serverFor(caller);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      const request = new Request(mcpUrl(this.env), { method: 'POST', headers });
      return await transport.handleRequest(request, { parsedBody: message });
    } finally {
      await server.close();
    }
  }

  private serverFor(caller: McpCaller): McpServer {
    const info = { name: PRODUCT.name, title: PRODUCT.title, version: PRODUCT.version, websiteUrl: this.env.publicUrl };
    const options = { instructions: this.instructions(), jsonSchemaValidator: validator };
    const server = new McpServer(info, options);
    // The SDK's constructor turns a capability of its options into `listChanged: true`.
    server.server.registerCapabilities(CAPABILITIES);
    const tools = this.toolsFor(caller);
    server.server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: tools.map(({ name }) => this.described.get(name) as ToolDescription as unknown as ProtocolTool),
    }));
    server.server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
      const tool = tools.find(({ name }) => name === params.name);
      if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
      return resultOf(await this.calls.call(tool, params.arguments ?? {}, caller));
    });
    return server;
  }

  /** The tools of the key's policy; without a key those of an agent's policy. */
  private toolsFor({ principal }: McpCaller): readonly Tool[] {
    const { mcpTools } = principal?.policy ?? this.policies.agent;
    return this.tools.filter(({ name }) => mcpTools === 'all' || mcpTools.includes(name));
  }

  private instructions(): string {
    const { dailyFreeCredits, batchSize } = this.policies.agent;
    return [
      'Mailsonde tells whether email addresses can receive mail, without sending any.',
      `One address: verify_email. Up to ${batchSize}: verify_batch, then get_batch_status until it is completed, then get_list.`,
      `These need an API key in the header "Authorization: Bearer <key>". Without one call get_api_key (free, ${dailyFreeCredits} verifications a UTC day), then reconnect with that header.`,
      'Every result has success, action (what to do next) and, where waiting helps, retry_after in seconds.',
      'estimate_cost and explain_result cost nothing.',
    ].join('\n');
  }
}

function resultOf({ structuredContent, isError, isReplayed }: Called): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
    ...(isError && { isError }),
    ...(isReplayed && { _meta: { 'mailsonde/idempotent-replayed': true } }),
  };
}
