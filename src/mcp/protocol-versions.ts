import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';

/** https://modelcontextprotocol.io/specification/versioning; the SDK also takes a draft from before it. */
const FIRST_PUBLISHED = '2024-11-05';

/** Supported versions of the protocol, newest first. */
export const PROTOCOL_VERSIONS: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS.filter(
  (version) => version >= FIRST_PUBLISHED,
);
