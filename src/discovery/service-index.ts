import type { KeyPolicy } from '../platform/config/policies.js';
import { PRODUCT } from '../platform/product.js';
import { AI_CATALOG, API_CATALOG } from './catalogs.js';
import { SERVER_CARD } from './mcp-server-card.js';
import { SKILL_PATH } from './skill.js';

/** `GET /` for a program: where it goes on, and the two requests that lead it to a verdict. */
export function serviceIndex(publicUrl: string, { dailyFreeCredits, keyLifeDays }: KeyPolicy): object {
  return {
    name: PRODUCT.name,
    description: PRODUCT.summary,
    first_request: {
      method: 'POST',
      url: `${publicUrl}/agent-gateway/register`,
      body: { name: 'Scout' },
      gives: `api_key: ${dailyFreeCredits} free verifications a UTC day for ${keyLifeDays} days, without a person. Its reply names the requests that follow, with a body for each.`,
    },
    authorization: 'Bearer <api_key>',
    documents: {
      agents: `${publicUrl}/agent-gateway/openapi.json`,
      accounts: `${publicUrl}/api/v1/openapi.json`,
      text: `${publicUrl}/llms.txt`,
      skill: publicUrl + SKILL_PATH,
      mcp_server_card: publicUrl + SERVER_CARD,
      ai_catalog: publicUrl + AI_CATALOG,
      api_catalog: publicUrl + API_CATALOG,
    },
    register: `${publicUrl}/agent-gateway/register`,
    try: `${publicUrl}/try`,
    mcp: `${publicUrl}/mcp`,
    docs: `${publicUrl}/docs`,
    guides: `${publicUrl}/docs/guides/index.md`,
  };
}

/** The same for whoever reads only the head of a reply (RFC 8288). */
export const INDEX_LINKS = [
  `<${API_CATALOG}>; rel="api-catalog"`,
  `<${AI_CATALOG}>; rel="ai-catalog"`,
  '</agent-gateway/openapi.json>; rel="service-desc"; type="application/vnd.oai.openapi+json"',
  '</docs/guides>; rel="service-doc"; type="text/html"',
  '</llms.txt>; rel="help"; type="text/plain"',
].join(', ');
