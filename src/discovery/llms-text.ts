import type { OpenAPIObject } from '@nestjs/swagger';
import type { McpDescription } from '../mcp/mcp-server.service.js';
import { claimUrl } from '../keys/accounts/claims.service.js';
import { quotaOf } from '../keys/limits/rate-limits.js';
import type { KeyPolicy } from '../platform/config/policies.js';
import { VERDICT_MEANINGS } from '../presenting/verdict-meanings.js';
import { PRODUCT } from '../platform/product.js';
import { AI_CATALOG, API_CATALOG } from './catalogs.js';
import { SERVER_CARD } from './mcp-server-card.js';
import { SKILL_PATH } from './skill.js';
import { needsKey, operationsOf } from './openapi/operations.js';

/** `/llms.txt` (https://llmstxt.org): everything that a model needs to use the service, on one short page. */
export function llmsText(mcp: McpDescription, rest: OpenAPIObject, publicUrl: string, agent: KeyPolicy): string {
  const { quota, windowMs } = quotaOf(agent);
  return `# ${PRODUCT.title}

> ${PRODUCT.summary} An agent gets an API key by one request, without an account or a person: ${agent.dailyFreeCredits} free verifications a UTC day, ${quota} requests in any ${windowMs / 1000} seconds, one at a time, for ${agent.keyLifeDays} days.

## In one minute

\`\`\`sh
key=$(curl -sX POST ${publicUrl}/agent-gateway/register | sed 's/.*"api_key":"\\([^"]*\\).*/\\1/')
curl -s ${publicUrl}/api/v1/verify -H "Authorization: Bearer $key" -H 'Content-Type: application/json' -d '{"email": "someone@example.com"}'
\`\`\`

The answer is \`{"success": true, "data": {"email", "result", "reason", "score", "disposable", "role", "free", "accept_all", "did_you_mean"}}\`. Each verification costs 1 credit.

${list(Object.entries(VERDICT_MEANINGS).map(([verdict, { explanation }]) => `\`${verdict}\`: ${explanation}`))}

Errors are \`{"success": false, "error", "code", "request_id"}\`: 401 register again, 402 no credits until 00:00 UTC (or a person claims you: below), 422 correct the input, 429 wait for \`Retry-After\` seconds. An \`Idempotency-Key\` header makes a retry safe.

## When the free checks do not suffice

The reply to the registration has a \`claim_token\`. Give it, with ${claimUrl(publicUrl)}, to the person you work for: who has a full account claims your key with it (\`POST ${publicUrl}/api/v1/claims\`), sees what you do, and the key no longer expires after ${agent.keyLifeDays} days; beyond your free credits you go on at the cost of that account, as far as it allows. Until then every 402 names this page as \`claim_url\`.

## HTTP

${list(
  operationsOf(rest.paths).map(({ method, path, operation }) => {
    const key = needsKey(operation) ? '' : ' (no key)';
    return `\`${method.toUpperCase()} ${path}\`${key}: ${operation.summary}`;
  }),
)}

## MCP

Streamable HTTP at ${mcp.url}. No key is needed to connect; get_api_key gives one, then reconnect with the header \`Authorization: Bearer <key>\`.

${list(mcp.tools.map(({ name, title }) => `\`${name}\`: ${title}`))}

## Documents

- [OpenAPI for agents](${publicUrl}/agent-gateway/openapi.json): every request and reply with its schema
- [OpenAPI for full accounts](${publicUrl}/api/v1/openapi.json): lists, finder, webhooks, batches of up to a million
- [Guides](${publicUrl}/docs/guides/index.md): a page a subject, as Markdown; [all of them with this page in one text](${publicUrl}/llms-full.txt)
- MCP: [server card](${publicUrl}${SERVER_CARD}), [the same with all tools](${publicUrl}/.well-known/mcp.json), [entry for the registry](${publicUrl}/server.json)
- Agents: [card](${publicUrl}/.well-known/agent-card.json), [skill](${publicUrl}${SKILL_PATH}), [catalog of all of these](${publicUrl}${AI_CATALOG}), [catalog of the interfaces](${publicUrl}${API_CATALOG})
`;
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}
