import { PRODUCT } from '../platform/product.js';
import { publisherOf, SERVER_CARD } from './mcp-server-card.js';
import { SKILL_NAME, SKILL_PATH } from './skill.js';

/** RFC 9727 section 3. */
export const API_CATALOG = '/.well-known/api-catalog';

/** The catalog of the interfaces (RFC 9727), as a set of links (RFC 9264 section 4.2). */
export function apiCatalog(publicUrl: string): object {
  const interfaceOf = (anchor: string, description: string, type: string): object => ({
    anchor: publicUrl + anchor,
    'service-desc': [{ href: publicUrl + description, type }],
    'service-doc': [{ href: `${publicUrl}/docs/guides`, type: 'text/html' }],
    status: [{ href: `${publicUrl}/healthz`, type: 'application/json' }],
  });
  const openApi = 'application/vnd.oai.openapi+json';
  return {
    linkset: [
      interfaceOf('/agent-gateway', '/agent-gateway/openapi.json', openApi),
      interfaceOf('/api/v1', '/api/v1/openapi.json', openApi),
      interfaceOf('/mcp', SERVER_CARD, 'application/mcp-server-card+json'),
    ],
  };
}

export const AI_CATALOG = '/.well-known/ai-catalog.json';

/** What agents can use here, with what each is described by (https://ai-catalog.io). */
export function aiCatalog(publicUrl: string): object {
  const publisher = publisherOf(publicUrl);
  const entry = (name: string, kind: string, type: string, path: string, displayName?: string) => ({
    // Without a domain there is nothing that makes a name unique but the address itself.
    identifier: publisher === null ? publicUrl + path : `urn:air:${publisher}:${name}:${kind}`,
    type,
    url: publicUrl + path,
    // The server card has a title of its own.
    ...(displayName !== undefined && { displayName }),
  });
  const openApi = 'application/vnd.oai.openapi+json;version=3.1';
  return {
    specVersion: '1.0',
    host: { displayName: PRODUCT.title, documentationUrl: `${publicUrl}/docs/guides` },
    entries: [
      entry(PRODUCT.name, 'mcp', 'application/mcp-server-card+json', SERVER_CARD),
      entry(SKILL_NAME, 'skill', 'application/agent-skills+md', SKILL_PATH, 'Verify email addresses'),
      entry(PRODUCT.name, 'agents-api', openApi, '/agent-gateway/openapi.json', `${PRODUCT.title} for agents`),
      entry(PRODUCT.name, 'accounts-api', openApi, '/api/v1/openapi.json', `${PRODUCT.title} for full accounts`),
    ],
  };
}
