import { hash } from 'node:crypto';
import type { KeyPolicy } from '../../platform/config/policies.js';
import { ACTIONS } from '../../platform/config/reason-texts.js';

const NAME = 'verify-email-addresses';
const DESCRIPTION =
  'Checks whether email addresses can receive mail, without sending any, with Mailsonde. Use it before sending to, storing or importing addresses, when mail bounces, or to clean a list.';

export const SKILL_PATH = `/.well-known/agent-skills/${NAME}/SKILL.md`;

const MEANINGS: Readonly<Record<(typeof ACTIONS)[number], string>> = {
  send: 'the mailbox exists',
  send_with_care: 'mail may arrive, with the risk that `reason` names: no cold mail, watch the bounces',
  review: 'let a person decide; `did_you_mean` may have the address that was meant',
  retry_later: 'no answer yet: ask again after `Retry-After` seconds, and never call the address bad for it',
  do_not_send: 'it would bounce, or harm the sender',
};

/** The skill (https://agentskills.io/specification): when to verify, what each action means, what it costs, when to try again. */
export function skillText(publicUrl: string, agent: KeyPolicy): string {
  return `---
name: ${NAME}
description: ${DESCRIPTION}
---

# Verify email addresses

Verify before you send to an address, store it or rely on it, and whenever somebody types one. Do not verify the same address again within a day: verdicts seldom change.

## Get a key, once

\`\`\`sh
curl -sX POST ${publicUrl}/agent-gateway/register
\`\`\`

Keep \`api_key\` from the reply, and send it as \`Authorization: Bearer <api_key>\`. Show \`claim_url\` and \`claim_token\` to the person you work for when the free credits do not suffice.

## One address

\`\`\`sh
curl -si ${publicUrl}/api/v1/verify -H "Authorization: Bearer $MAILSONDE_KEY" -H 'Content-Type: application/json' -d '{"email": "someone@example.com"}'
\`\`\`

Decide by the header \`Mailsonde-Action\`:

${ACTIONS.map((action) => `- \`${action}\`: ${MEANINGS[action]}`).join('\n')}

Never guess an address, and never replace one by \`did_you_mean\` without asking.

## Several addresses

\`POST ${publicUrl}/api/v1/verify/batch\` with \`{"emails": [...]}\`, at most ${agent.batchSize} at a time; poll \`GET /api/v1/verify/batch/{id}\` every few seconds until \`status\` is \`completed\`; then read \`GET /api/v1/verify/batch/{id}/results\`.

## Costs and errors

- 1 credit for each distinct address; ${agent.dailyFreeCredits} are free each UTC day. \`POST ${publicUrl}/api/v1/estimate\` tells the price of a list before it is paid.
- Send an \`Idempotency-Key\` with everything that costs: the same request again gets the first reply, charged once.
- 401: register again. 402: no credits until 00:00 UTC, or until a person claims the key. 422: correct the input. 429 and 503: wait \`Retry-After\` seconds.

## As tools

The same by MCP: ${publicUrl}/mcp, with the same header. Everything else: ${publicUrl}/llms.txt
`;
}

/** The index by which clients find skills (https://agentskills.io/well-known-uri, 0.2.0). */
export function skillIndex(skill: string): object {
  const digest = `sha256:${hash('sha256', skill, 'hex')}`;
  return {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [{ name: NAME, type: 'skill-md', description: DESCRIPTION, url: SKILL_PATH, digest }],
  };
}
