import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { MAX_ESTIMATED_EMAILS } from '../../batch/estimate/estimate.service.js';
import { hasMoreValues } from '../../platform/http/bodies/json-body.js';
import { type LegacyMessage, readLegacyMessage } from './legacy-message.js';
import { type Fault, fault, MAX_TOLD_LENGTH, unsupportedVersion } from './message-faults.js';
import { MODERN_VERSIONS, PROTOCOL_VERSIONS } from './protocol-versions.js';

/** What headers say of the message beneath them (specification 2026-07-28, request metadata); undefined where missing. */
export interface MessageHeaders {
  /** `MCP-Protocol-Version` */
  readonly version: string | undefined;
  /** `Mcp-Method` */
  readonly method: string | undefined;
  /** `Mcp-Name` */
  readonly name: string | undefined;
}

/** A message, and by which versions of the protocol it is to be answered. */
export type Received =
  | { readonly era: 'legacy'; readonly message: LegacyMessage; readonly headers: MessageHeaders }
  | { readonly era: 'modern'; readonly message: object; readonly headers: MessageHeaders };

/* Twice what the longest list of a tool has; each that is wrong costs the SDK's check 30 µs. */
const MAX_VALUES = 2 * MAX_ESTIMATED_EMAILS;

/* The SDK that has this name is loaded by the first message that needs it. */
const VERSION_IN_META = 'io.modelcontextprotocol/protocolVersion';

/* The SDK tells again what it finds wrong in these; no method, tool or resource here has a name as long. */
const MAX_NAME_LENGTH = 200;

/* The SDK would open a stream that stays open, for anybody and of as many as there are sockets, and never send on it. */
const LISTEN = 'subscriptions/listen';

/**
 * @param body the parsed body; undefined when there was none
 */
export function readMessage(body: unknown, headers: MessageHeaders): Received | Fault {
  if (hasMoreValues(body, MAX_VALUES))
    return fault(400, ErrorCode.InvalidRequest, `A message has at most ${MAX_VALUES} values.`);
  if (Array.isArray(body)) return fault(400, ErrorCode.InvalidRequest, 'One call per request: send no JSON array.');
  const asked = askedOf(body);
  return refuse(asked, headers) ?? (isModern(body, asked, headers) ? modern(body as object) : legacy(body));

  function modern(message: object): Received | Fault {
    if (asked.method !== LISTEN) return { era: 'modern', message, headers };
    return fault(404, ErrorCode.MethodNotFound, 'There are no changes to listen to.', asked.id);
  }

  function legacy(message: unknown): Received | Fault {
    const read = readLegacyMessage(message);
    return 'fault' in read ? read : { era: 'legacy', message: read.message, headers };
  }
}

/** What decides by which versions a body is answered, of a body that may be anything. */
interface Asked {
  /** Null in what is no request. */
  readonly id: string | number | null;
  readonly method: unknown;
  readonly names: readonly unknown[];
  /** The version that the message itself says it speaks; undefined when it says none. */
  readonly version: unknown;
}

function askedOf(body: unknown): Asked {
  const { id, method, params } = membersOf(body);
  const { name, uri, _meta } = membersOf(params);
  const isId = typeof id === 'string' || Number.isInteger(id);
  return {
    id: isId ? (id as string | number) : null,
    method,
    names: [method, name, uri],
    version: membersOf(_meta)[VERSION_IN_META],
  };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : {};
}

/** The refusals that hold before anybody has to know by which versions a message is answered. */
function refuse({ id, method, names, version }: Asked, headers: MessageHeaders): Fault | null {
  if (names.some((name) => typeof name === 'string' && name.length > MAX_NAME_LENGTH))
    return fault(400, ErrorCode.InvalidParams, `A name has at most ${MAX_NAME_LENGTH} characters.`, id);
  if (version === undefined) {
    // A client that initializes does not know yet which versions there are.
    const isSpoken = headers.version === undefined || PROTOCOL_VERSIONS.includes(headers.version);
    return isSpoken || method === 'initialize' ? null : unsupportedVersion(headers.version, PROTOCOL_VERSIONS, id);
  }
  if (typeof version !== 'string' || MODERN_VERSIONS.includes(version)) return null;
  // Another version in the header is a mismatch, which the SDK refuses, telling both.
  const isMismatch = headers.version !== undefined && headers.version !== version;
  return isMismatch && version.length <= MAX_TOLD_LENGTH ? null : unsupportedVersion(version, MODERN_VERSIONS, id);
}

/** Whether a message says itself which version it speaks, or its header names one in which it has to. */
function isModern(body: unknown, { method, version }: Asked, headers: MessageHeaders): boolean {
  if (body === null || typeof body !== 'object') return false;
  if (version === undefined && method === 'initialize') return false;
  return version !== undefined || MODERN_VERSIONS.includes(String(headers.version));
}
