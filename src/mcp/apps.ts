import { randomUUID } from 'node:crypto';
import { readPage } from '../platform/http/built-pages.js';

/*
 * MCP Apps (extension io.modelcontextprotocol/ui, 2026-01-26): a tool names a page, which clients that can show one read as a
 * resource and give the tool's results to. Clients that cannot are told nothing of it; the text of a result is whole without it.
 */

const EXTENSION = 'io.modelcontextprotocol/ui';
const MIME_TYPE = 'text/html;profile=mcp-app';

/** Results of these can be shown as a card. */
const TOOLS: readonly string[] = ['verify_email', 'get_batch_status', 'get_list'];

export const APP = {
  uri: 'ui://mailsonde/card',
  name: 'card',
  title: 'Verdicts as a card',
  mimeType: MIME_TYPE,
} as const;

/** The page loads nothing, so no origin is allowed to it. */
export function appContents() {
  return {
    uri: APP.uri,
    mimeType: MIME_TYPE,
    text: readPage('mcp-app.html'),
    _meta: { ui: { csp: {}, prefersBorder: true } },
  };
}

export function withApp<T extends { readonly name: string }>(tool: T): T {
  return TOOLS.includes(tool.name) ? { ...tool, _meta: { ui: { resourceUri: APP.uri } } } : tool;
}

/** @param capabilities as a client tells them, which may be anything */
export function showsApps(capabilities: unknown): boolean {
  const types = membersOf(membersOf(membersOf(capabilities)['extensions'])[EXTENSION])['mimeTypes'];
  return Array.isArray(types) && types.includes(MIME_TYPE);
}

export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : {};
}

/*
 * Clients of older versions tell what they can only once, when they initialize, and nothing is kept of them here. So those that show
 * apps get a session id that says so, which they send with every message after that.
 */
const SESSION_PREFIX = 'apps-';

export function appsSession(): string {
  return SESSION_PREFIX + randomUUID();
}

export function isAppsSession(sessionId: string | undefined): boolean {
  return sessionId?.startsWith(SESSION_PREFIX) === true;
}
