import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';

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
