import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { MAX_ESTIMATED_EMAILS } from '../batch/estimate/estimate.service.js';
import { hasMoreValues } from '../platform/http/bodies/json-body.js';
import { PROTOCOL_VERSIONS } from './protocol-versions.js';

/** One message of JSON-RPC 2.0: a request, a notification or a response. */
export type McpMessage = z.infer<typeof JSONRPCMessageSchema>;

/** The answer to a body that is no message, or a message that fails. */
export interface MessageFault {
  readonly status: number;
  readonly body: object;
}

/* Their parameters are checked here: the SDK calls wrong ones an internal error. */
const REQUESTS: Readonly<Record<string, z.ZodType>> = {
  initialize: InitializeRequestSchema,
  ping: PingRequestSchema,
  'tools/list': ListToolsRequestSchema,
  'tools/call': CallToolRequestSchema,
};

/* Twice what the longest list of a tool has; each that is wrong costs the SDK's check 30 µs. */
const MAX_VALUES = 2 * MAX_ESTIMATED_EMAILS;

/* The SDK's own code for refusals before there is a message. */
export const REFUSED = -32_000;

type Read = { readonly message: McpMessage } | { readonly fault: MessageFault };

/**
 * @param body the parsed body; undefined when there was none
 * @param version in the `MCP-Protocol-Version` header; undefined without the header
 */
export function readMessage(body: unknown, version: string | undefined): Read {
  if (hasMoreValues(body, MAX_VALUES))
    return fault(400, ErrorCode.InvalidRequest, `A message has at most ${MAX_VALUES} values.`);
  if (Array.isArray(body)) return fault(400, ErrorCode.InvalidRequest, 'One call per request: send no JSON array.');
  const { success, data: message } = JSONRPCMessageSchema.safeParse(body);
  if (!success) return fault(400, ErrorCode.InvalidRequest, 'This is no JSON-RPC 2.0 message.');
  // A client that initializes does not know yet which versions there are.
  if (version !== undefined && !PROTOCOL_VERSIONS.includes(version) && !isInitialize(message))
    return fault(400, REFUSED, `Unsupported protocol version; supported are ${PROTOCOL_VERSIONS.join(', ')}.`);
  if (!('method' in message && 'id' in message)) return { message };
  const checked = Object.hasOwn(REQUESTS, message.method) ? REQUESTS[message.method]!.safeParse(message) : null;
  if (checked !== null && !checked.success) {
    const where = checked.error.issues.map(({ path, message: text }) => `${path.join('.')}: ${text}`).slice(0, 5);
    return fault(
      200,
      ErrorCode.InvalidParams,
      `Invalid parameters of ${message.method}: ${where.join('; ')}`,
      message.id,
    );
  }
  return { message: withSpokenVersion(withoutTask(message)) };
}

export function messageFault(status: number, code: number, message: string, id: unknown = null): MessageFault {
  return { status, body: { jsonrpc: '2.0', id, error: { code, message } } };
}

function fault(...of: Parameters<typeof messageFault>): { readonly fault: MessageFault } {
  return { fault: messageFault(...of) };
}

/** A server without tasks answers as if the client had asked for none (specification 2025-11-25, tasks). */
function withoutTask<T extends { readonly params?: Readonly<Record<string, unknown>> | undefined }>(message: T): T {
  if (message.params?.['task'] === undefined) return message;
  const { task: _, ...params } = message.params;
  return { ...message, params };
}

function isInitialize(message: McpMessage): boolean {
  return 'method' in message && message.method === 'initialize';
}

/** A client that asks for an unsupported version gets the newest (specification 2025-11-25, lifecycle). */
function withSpokenVersion<T extends McpMessage & { readonly params?: Readonly<Record<string, unknown>> | undefined }>(
  message: T,
): T {
  if (!isInitialize(message) || PROTOCOL_VERSIONS.includes(String(message.params?.['protocolVersion']))) return message;
  return { ...message, params: { ...message.params, protocolVersion: PROTOCOL_VERSIONS[0] } };
}
