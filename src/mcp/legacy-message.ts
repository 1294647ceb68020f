import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { type Fault, fault, LEGACY_VERSIONS } from './protocol.js';

/** One message of JSON-RPC 2.0: a request, a notification or a response. */
export type LegacyMessage = z.infer<typeof JSONRPCMessageSchema>;

/* Their parameters are checked here: the SDK calls wrong ones an internal error. */
const REQUESTS: Readonly<Record<string, z.ZodType>> = {
  initialize: InitializeRequestSchema,
  ping: PingRequestSchema,
  'tools/list': ListToolsRequestSchema,
  'tools/call': CallToolRequestSchema,
  'resources/read': ReadResourceRequestSchema,
};

/**
 * A message of the versions that begin with `initialize`.
 * @param body the parsed body, within the bounds of `readMessage`
 */
export function readLegacyMessage(body: unknown): { readonly message: LegacyMessage } | Fault {
  const { success, data: message } = JSONRPCMessageSchema.safeParse(body);
  if (!success) return fault(400, ErrorCode.InvalidRequest, 'This is no JSON-RPC 2.0 message.');
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

/** A server without tasks answers as if the client had asked for none (specification 2025-11-25, tasks). */
function withoutTask<T extends { readonly params?: Readonly<Record<string, unknown>> | undefined }>(message: T): T {
  if (message.params?.['task'] === undefined) return message;
  const { task: _, ...params } = message.params;
  return { ...message, params };
}

function isInitialize(message: LegacyMessage): boolean {
  return 'method' in message && message.method === 'initialize';
}

/** A client that asks for an unsupported version gets the newest (specification 2025-11-25, lifecycle). */
function withSpokenVersion<
  T extends LegacyMessage & { readonly params?: Readonly<Record<string, unknown>> | undefined },
>(message: T): T {
  if (!isInitialize(message) || LEGACY_VERSIONS.includes(String(message.params?.['protocolVersion']))) return message;
  return { ...message, params: { ...message.params, protocolVersion: LEGACY_VERSIONS[0] } };
}
