import type { McpDescription } from '../mcp/mcp-server.service.js';
import type { KeyPolicy } from '../platform/config/policies.js';
import { PRODUCT } from '../platform/product.js';

/** `/.well-known/mcp.json`: the facts that a client needs before it connects. */
export function serverDescription(mcp: McpDescription, publicUrl: string): object {
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

/** `/.well-known/agent.json`: the facts by which an agent chooses this service. */
export function agentDescription(mcp: McpDescription, publicUrl: string, agent: KeyPolicy): object {
  return {
    name: PRODUCT.title,
    description: introductionOf(agent),
    // A2A before 1.0 reads an address alone as one that speaks its JSON-RPC.
    url: mcp.url,
    preferredTransport: 'MCP',
    provider: { organization: PRODUCT.title, url: publicUrl },
    version: PRODUCT.version,
    documentationUrl: `${publicUrl}/llms.txt`,
    capabilities: { streaming: false, pushNotifications: false, stateTransitionHistory: false },
    interfaces: [
      { transport: 'MCP', url: mcp.url, description: `${publicUrl}/.well-known/mcp.json` },
      { transport: 'HTTP+JSON', url: publicUrl, description: `${publicUrl}/agent-gateway/openapi.json` },
    ],
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: howToGetKey(publicUrl, agent) } },
    security: [{ bearer: [] }],
    ...abilitiesOf(mcp),
  };
}

/**
 * `/.well-known/agent-card.json` in the form of A2A 1.0 (section 4.4.1), which registries of agents read. The service speaks no
 * A2A: each interface is bound by the address of what it does speak (section 5.8), so that no A2A client takes one for its own.
 */
export function agentCard(mcp: McpDescription, publicUrl: string, agent: KeyPolicy): object {
  const [newest = ''] = mcp.protocolVersions;
  return {
    name: PRODUCT.title,
    description: `${introductionOf(agent)} It speaks MCP and REST, and no A2A.`,
    supportedInterfaces: [
      {
        url: mcp.url,
        protocolBinding: `https://modelcontextprotocol.io/specification/${newest}`,
        protocolVersion: newest,
      },
      {
        url: publicUrl,
        protocolBinding: `${publicUrl}/agent-gateway/openapi.json`,
        protocolVersion: PRODUCT.interfaceVersion,
      },
    ],
    provider: { organization: PRODUCT.title, url: publicUrl },
    version: PRODUCT.version,
    documentationUrl: `${publicUrl}/llms.txt`,
    capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
    securitySchemes: {
      bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', description: howToGetKey(publicUrl, agent) } },
    },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    ...abilitiesOf(mcp),
  };
}

function introductionOf(agent: KeyPolicy): string {
  return `${PRODUCT.summary} An agent gets a key by itself, with ${agent.dailyFreeCredits} free verifications a UTC day.`;
}

function howToGetKey(publicUrl: string, agent: KeyPolicy): string {
  return `POST ${publicUrl}/agent-gateway/register answers with a key; it needs no credentials and works for ${agent.keyLifeDays} days.`;
}

function abilitiesOf({ tools }: McpDescription) {
  return {
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json'],
    skills: tools.map(({ name, title, description }) => ({
      id: name,
      name: title,
      description,
      tags: ['email', 'verification'],
    })),
  };
}
