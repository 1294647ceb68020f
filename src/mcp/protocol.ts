import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
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

/** https://modelcontextprotocol.io/specification/versioning; the SDK also takes a draft from before it. */
const FIRST_PUBLISHED = '2024-11-05';

/** Versions in which every message says by itself which version it speaks; newest first. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];

/** Versions that begin with `initialize`; newest first. */
export const LEGACY_VERSIONS: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS.filter(
  (version) => version >= FIRST_PUBLISHED,
);

/** Supported versions of the protocol, newest first. */
export const PROTOCOL_VERSIONS: readonly string[] = [...MODERN_VERSIONS, ...LEGACY_VERSIONS];

/** The answer to a body that is no message, or a message that fails. */
export interface MessageFault {
  readonly status: number;
  readonly body: object;
}

export type Fault = { readonly fault: MessageFault };

/* The SDK's own code for refusals before there is a message. */
export const REFUSED = -32_000;

/** Specification 2026-07-28, error codes. */
const UNSUPPORTED_VERSION = -32_022;

/* What a caller has written and is told again is cut here. */
export const MAX_ECHOED_LENGTH = 100;

export function messageFault(status: number, code: number, message: string, id: unknown = null): MessageFault {
  return { status, body: { jsonrpc: '2.0', id, error: { code, message } } };
}

export function fault(...of: Parameters<typeof messageFault>): Fault {
  return { fault: messageFault(...of) };
}

/** @param supported versions that a client may go on with, by a message like this one or by `initialize` */
export function unsupportedVersion(version: string, supported: readonly string[], id: unknown): Fault {
  const data = { supported, requested: version.slice(0, MAX_ECHOED_LENGTH) };
  const message = `Unsupported protocol version; supported are ${supported.join(', ')}.`;
  return { fault: { status: 400, body: { jsonrpc: '2.0', id, error: { code: UNSUPPORTED_VERSION, message, data } } } };
}
