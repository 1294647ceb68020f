import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { MAX_ESTIMATED_EMAILS } from '../batch/estimate.service.js';
import { hasMoreValues } from '../platform/http/json-body.js';
import { isAppsSession, membersOf, showsApps } from './apps.js';
import { type LegacyMessage, readLegacyMessage } from './legacy-message.js';
import {
  type Fault,
  fault,
  MAX_ECHOED_LENGTH,
  unsupportedVersion,
  MODERN_VERSIONS,
  PROTOCOL_VERSIONS,
} from './protocol.js';

/** What headers say of the message beneath them (specification 2026-07-28, request metadata); undefined where missing. */
export interface MessageHeaders {
  /** `MCP-Protocol-Version` */
  readonly version: string | undefined;
  /** `Mcp-Method` */
  readonly method: string | undefined;
  /** `Mcp-Name` */
  readonly name: string | undefined;
  /** `Mcp-Session-Id`, of older versions */
  readonly session: string | undefined;
}

/** A message, and by which versions of the protocol it is to be answered. */
export type Received = {
  readonly headers: MessageHeaders;
  readonly isInitialize: boolean;
  /** Whether the client can show an app, as far as it has told. */
  readonly showsApps: boolean;
} & (
  { readonly era: 'legacy'; readonly message: LegacyMessage } | { readonly era: 'modern'; readonly message: object }
);

/* Twice what the longest list of a tool has; each that is wrong costs the SDK's check 30 µs. */
const MAX_VALUES = 2 * MAX_ESTIMATED_EMAILS;

/* The SDK that has these names is loaded by the first message that needs it. */
const VERSION_IN_META = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_IN_META = 'io.modelcontextprotocol/clientCapabilities';

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
  const asked = envelopeOf(body);
  const told = { headers, isInitialize: asked.method === 'initialize', showsApps: asked.showsApps };
  return refuse(asked, headers) ?? (isModern(body, asked, headers) ? modern(body as object) : legacy(body));

  function modern(message: object): Received | Fault {
    if (asked.method !== LISTEN) return { era: 'modern', message, ...told };
    return fault(404, ErrorCode.MethodNotFound, 'There are no changes to listen to.', asked.id);
  }

  function legacy(message: unknown): Received | Fault {
    const read = readLegacyMessage(message);
    if ('fault' in read) return read;
    return {
      era: 'legacy',
      message: read.message,
      ...told,
      showsApps: told.showsApps || isAppsSession(headers.session),
    };
  }
}

/** What decides by which versions a body is answered, of a body that may be anything. */
interface MessageEnvelope {
  /** Null in what is no request. */
  readonly id: string | number | null;
  readonly method: unknown;
  readonly names: readonly unknown[];
  /** The version that the message itself says it speaks; undefined when it says none. */
  readonly version: unknown;
  readonly showsApps: boolean;
}

function envelopeOf(body: unknown): MessageEnvelope {
  const { id, method, params } = membersOf(body);
  const { name, uri, _meta, capabilities } = membersOf(params);
  const meta = membersOf(_meta);
  const isId = typeof id === 'string' || Number.isInteger(id);
  return {
    id: isId ? (id as string | number) : null,
    method,
    names: [method, name, uri],
    version: meta[VERSION_IN_META],
    showsApps: showsApps(meta[CAPABILITIES_IN_META] ?? capabilities),
  };
}

/** The refusals that hold before anybody has to know by which versions a message is answered. */
function refuse({ id, method, names, version }: MessageEnvelope, headers: MessageHeaders): Fault | null {
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
  return isMismatch && version.length <= MAX_ECHOED_LENGTH ? null : unsupportedVersion(version, MODERN_VERSIONS, id);
}

/** Whether a message says itself which version it speaks, or its header names one in which it has to. */
function isModern(body: unknown, { method, version }: MessageEnvelope, headers: MessageHeaders): boolean {
  if (body === null || typeof body !== 'object') return false;
  if (version === undefined && method === 'initialize') return false;
  return version !== undefined || MODERN_VERSIONS.includes(String(headers.version));
}
