import type { McpDescription } from '../../mcp/mcp-server.service.js';
import type { KeyPolicy } from '../../platform/config/policies.js';
import { PRODUCT } from '../../platform/product.js';

/** The facts that a client needs before it connects. */
export function serverCard(mcp: McpDescription, publicUrl: string): object {
  return {
    name: PRODUCT.name,
    title: PRODUCT.title,
    description: PRODUCT.summary,
    version: PRODUCT.version,
    documentation_url: `${publicUrl}/llms.txt`,
    endpoint: mcp.url,
    transport: { type: 'streamable-http', url: mcp.url, responses: 'application/json', sessions: false },
    protocol_versions: mcp.protocolVersions,
    capabilities: mcp.capabilities,
    instructions: mcp.instructions,
    authentication: {
      required: false,
      schemes: ['bearer'],
      header: 'Authorization: Bearer <api_key>',
      obtain: { tool: 'get_api_key', http: { method: 'POST', url: `${publicUrl}/agent-gateway/register` } },
      description:
        'No key is needed to connect, to list tools, or for get_api_key, explain_result and estimate_cost with a count. The other tools need one.',
    },
    tools: mcp.tools,
  };
}

/** The facts by which an agent chooses this service. */
export function agentCard(mcp: McpDescription, publicUrl: string, agent: KeyPolicy): object {
  return {
    name: PRODUCT.title,
    description: `${PRODUCT.summary} An agent gets a key by itself, with ${agent.dailyFreeCredits} free verifications a UTC day.`,
    url: publicUrl,
    provider: { organization: PRODUCT.title, url: publicUrl },
    version: PRODUCT.version,
    documentationUrl: `${publicUrl}/llms.txt`,
    capabilities: { streaming: false, pushNotifications: false, stateTransitionHistory: false },
    interfaces: [
      { transport: 'MCP', url: mcp.url, description: `${publicUrl}/.well-known/mcp.json` },
      { transport: 'HTTP+JSON', url: publicUrl, description: `${publicUrl}/agent-gateway/openapi.json` },
    ],
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description: `POST ${publicUrl}/agent-gateway/register answers with a key; it needs no credentials and works for ${agent.keyLifeDays} days.`,
      },
    },
    security: [{ bearer: [] }],
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json'],
    skills: mcp.tools.map(({ name, title, description }) => ({
      id: name,
      name: title,
      description,
      tags: ['email', 'verification'],
    })),
  };
}
