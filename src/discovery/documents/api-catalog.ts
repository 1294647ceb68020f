import { SERVER_CARD } from './mcp-server-card.js';

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
