import type { Called } from './tools/tool-calls.service.js';
import type { ToolDescription } from './tools/tool-list.js';

/* Without a session there is nobody to notify: a client with a new key lists the tools again when it reconnects. */
export const CAPABILITIES = { tools: { listChanged: false } } as const;

/* Told to clients that show apps only, because the service has no other resource. */
export const APP_CAPABILITIES = { ...CAPABILITIES, resources: {} } as const;

/** What one caller is served, by whichever version of the protocol. */
export interface Serving {
  /** The server's introduction of itself. */
  readonly info: {
    readonly name: string;
    readonly title: string;
    readonly version: string;
    readonly websiteUrl: string;
  };
  readonly url: string;
  readonly instructions: string;
  readonly tools: readonly ToolDescription[];
  /** Whether there is the resource of the app. */
  readonly hasApp: boolean;
  /** Null for a tool that is not among `tools`. */
  readonly call: (name: string, given: Readonly<Record<string, unknown>>) => Promise<Called | null>;
}

/** A tool's result, as all versions write it. */
export function toolResult({ structuredContent, isError, isReplayed }: Called) {
  return {
    content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }],
    structuredContent,
    ...(isError && { isError }),
    ...(isReplayed && { _meta: { 'mailsonde/idempotent-replayed': true } }),
  };
}

export function unknownResource(uri: string): string {
  return `Unknown resource: ${uri}`;
}

export function unknownTool(name: string): string {
  return `Unknown tool: ${name}`;
}
