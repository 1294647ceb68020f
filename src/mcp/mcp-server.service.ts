import { Inject, Injectable } from '@nestjs/common';
import { ENV, type Env } from '../platform/config/env.js';
import { KEY_POLICIES, type KeyPolicies } from '../platform/config/policies.js';
import { refusesUnknown } from '../platform/http/known-members.js';
import { PRODUCT } from '../platform/product.js';
import { type McpCaller, mcpUrl } from './tools/mcp-caller.js';
import { appsSession, withApp } from './apps.js';
import { answerLegacy } from './legacy-server.js';
import type { Received } from './message.js';
import { PROTOCOL_VERSIONS, CAPABILITIES, type Serving } from './protocol.js';
import type { Tool } from './tools/tool.js';
import { ToolCallsService } from './tools/tool-calls.service.js';
import { describeTool, MCP_TOOLS, takingNoMore, type ToolDescription } from './tools/tool-list.js';

/** The server's introduction of itself to clients that connect and in the server card. */
export interface McpDescription {
  readonly url: string;
  /** Newest first. */
  readonly protocolVersions: readonly string[];
  readonly capabilities: typeof CAPABILITIES;
  readonly instructions: string;
  readonly tools: readonly ToolDescription[];
}

/** Answers messages of the Model Context Protocol, each by itself: there are no sessions. */
@Injectable()
export class McpServerService {
  /** Made when somebody asks, because the start would take 25 ms longer. */
  private described: ReadonlyMap<string, ToolDescription> | null = null;

  constructor(
    private readonly calls: ToolCallsService,
    @Inject(MCP_TOOLS) private readonly tools: readonly Tool[],
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
    @Inject(ENV) private readonly env: Env,
  ) {}

  describe(): McpDescription {
    return {
      url: mcpUrl(this.env),
      protocolVersions: PROTOCOL_VERSIONS,
      capabilities: CAPABILITIES,
      instructions: this.instructions(),
      tools: [...this.descriptions().values()],
    };
  }

  /** The protocol's own answer to any one message. */
  async answer(received: Received, caller: McpCaller): Promise<Response> {
    const serving = this.serve(caller, received.showsApps);
    if (received.era === 'legacy' && received.isInitialize && received.showsApps)
      caller.tell({ 'Mcp-Session-Id': appsSession() });
    if (received.era === 'legacy') return answerLegacy(received.message, received.headers, serving);
    // Its SDK takes a tenth of a second to load, which the start of a service that few ask this way need not wait for.
    const { answerModern } = await import('./modern-server.js');
    return answerModern(received.message, received.headers, serving);
  }

  private serve(caller: McpCaller, hasApp: boolean): Serving {
    const tools = this.toolsFor(caller);
    const described = this.descriptions();
    const describe = ({ name }: Tool): ToolDescription => {
      const tool = described.get(name)!;
      const closed = refusesUnknown(caller.principal) ? takingNoMore(tool) : tool;
      return hasApp ? withApp(closed) : closed;
    };
    return {
      info: { name: PRODUCT.name, title: PRODUCT.title, version: PRODUCT.version, websiteUrl: this.env.publicUrl },
      url: mcpUrl(this.env),
      instructions: this.instructions(),
      tools: tools.map(describe),
      hasApp,
      call: async (called, given) => {
        const tool = tools.find(({ name }) => name === called);
        return tool === undefined ? null : this.calls.call(tool, given, caller);
      },
    };
  }

  private descriptions(): ReadonlyMap<string, ToolDescription> {
    return (this.described ??= new Map(this.tools.map((tool) => [tool.name, describeTool(tool)])));
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
