import { isIP } from 'node:net';
import type { McpDescription } from '../mcp/mcp-server.service.js';
import { PRODUCT } from '../platform/product.js';

/** SEP-2127 reserves it beside the endpoint. */
export const SERVER_CARD = '/mcp/server-card';

/** How to connect, before anything is asked of the server itself (SEP-2127). */
export function mcpServerCard(mcp: McpDescription, publicUrl: string): object {
  const [remote] = remotesOf(mcp);
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    ...introduction(publicUrl),
    remotes: [{ ...remote, supportedProtocolVersions: mcp.protocolVersions }],
  };
}

/** `server.json`, by which whoever runs the service lists it in the MCP registry. */
export function registryEntry(mcp: McpDescription, publicUrl: string): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...introduction(publicUrl),
    remotes: remotesOf(mcp),
  };
}

/** The domain that publishes, or null for an installation without one. */
export function publisherOf(publicUrl: string): string | null {
  const { hostname } = new URL(publicUrl);
  return hostname.startsWith('[') || isIP(hostname) !== 0 ? null : hostname;
}

function introduction(publicUrl: string) {
  const domain = publisherOf(publicUrl) ?? 'localhost';
  return {
    name: `${domain.split('.').toReversed().join('.')}/${PRODUCT.name}`,
    title: PRODUCT.title,
    description: PRODUCT.summary,
    websiteUrl: publicUrl,
    // The registry takes every version once.
    version: PRODUCT.version,
  };
}

function remotesOf(mcp: McpDescription) {
  const key = {
    name: 'Authorization',
    description: 'Bearer <api_key>. Nobody needs it to connect: the tool get_api_key gives a key.',
    placeholder: 'Bearer ms_agent_…',
    isRequired: false,
    isSecret: true,
  };
  return [{ type: 'streamable-http', url: mcp.url, headers: [key] }];
}
