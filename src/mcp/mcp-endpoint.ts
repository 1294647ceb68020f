import type { Env } from '../platform/config/env.js';

export const MCP_PATH = '/mcp';

export function mcpUrl({ publicUrl }: Pick<Env, 'publicUrl'>): string {
  return publicUrl + MCP_PATH;
}
