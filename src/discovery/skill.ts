import { hash } from 'node:crypto';
import { quotaOf } from '../keys/limits/rate-limits.js';
import type { KeyPolicy } from '../platform/config/policies.js';
import { ACTIONS } from '../platform/config/reason-texts.js';

export const SKILL_NAME = 'verify-email-addresses';
const DESCRIPTION =
  'Checks whether email addresses can receive mail, without sending any, with Mailsonde. Use it before sending to, storing or importing addresses, when mail bounces, or to clean a list.';

export const SKILL_PATH = `/.well-known/agent-skills/${SKILL_NAME}/SKILL.md`;

const MEANINGS: Readonly<Record<(typeof ACTIONS)[number], string>> = {
  send: 'the mailbox exists',
  send_with_care: 'mail may arrive, with the risk that `reason` names: no cold mail, watch the bounces',
  review: 'let a person decide; `did_you_mean` may have the address that was meant',
  retry_later: 'no answer yet: ask again after `Retry-After` seconds, and never call the address bad for it',
  do_not_send: 'it would bounce, or harm the sender',
};

/** The skill (https://agentskills.io/specification): when to verify, what each action means, what it costs, when to try again. */
export function skillText(publicUrl: string, agent: KeyPolicy): string {
  const { quota, windowMs } = quotaOf(agent);
  return `---
name: ${SKILL_NAME}
description: ${DESCRIPTION}
---

# Verify email addresses

Verify before you send to an address, store it or rely on it, and whenever somebody types one. Do not verify the same address again within a day: verdicts seldom change.

## Get a key, once

\`\`\`sh
curl -sX POST ${publicUrl}/agent-gateway/register
\`\`\`

Keep \`api_key\` and \`claim_token\` from the reply: both are shown only there. Send the key as \`Authorization: Bearer <api_key>\`.

## One address

\`\`\`sh
curl -si ${publicUrl}/api/v1/verify -H "Authorization: Bearer $MAILSONDE_KEY" -H 'Content-Type: application/json' -d '{"email": "someone@example.com"}'
\`\`\`

Decide by the header \`Mailsonde-Action\`:

${ACTIONS.map((action) => `- \`${action}\`: ${MEANINGS[action]}`).join('\n')}

\`reason\` says why. Never guess an address, and never replace one by \`did_you_mean\` without asking.

## Several addresses

1. \`POST ${publicUrl}/api/v1/verify/batch\` with \`{"emails": [...]}\`, at most ${agent.batchSize} in one batch.
2. \`GET ${publicUrl}/api/v1/verify/batch/{id}\` every few seconds until \`status\` is \`completed\`.
3. \`GET ${publicUrl}/api/v1/verify/batch/{id}/results\`: the rows in the order in which they were sent.

More than ${agent.batchSize}: several batches, one after the other; 422 \`too_many_emails\` names the \`limit\`. More than the free credits: tell your person first what it costs, as below.

## Cost

- 1 credit for each distinct address${agent.chargeUnknown ? ', an `unknown` too' : ''}; ${agent.dailyFreeCredits} are free each UTC day.
- \`POST ${publicUrl}/api/v1/estimate\` with \`{"emails": [...]}\` or \`{"count": 200}\` tells the price before the work, free of charge: \`credits_required\`, \`credits_remaining\`, \`sufficient\`.
- \`max_credits\` in the body refuses work that would cost more, before anything is done.
- 402 \`credits_insufficient\`: wait until \`resets_at\`, or show \`claim_url\` and your \`claim_token\` to the person you work for. Who has a full account claims the key with it, and you go on with the same key.
- 402 \`key_ceiling_reached\`: your person has set how much you may spend; ask them to raise it.

## Trying again

- Send an \`Idempotency-Key\` with everything that costs: the same request again gets the first reply, charged once.
- At most ${quota} requests in any ${windowMs / 1000} seconds, one at a time. 429, 409 and 503: wait \`Retry-After\` seconds, then send the same again.
- 200 with \`retry_later\`: the same, after \`Retry-After\`; a batch asks again by itself.
- 401: register again, the key is good for ${agent.keyLifeDays} days. 422: correct what \`fields\` names. Never repeat either unchanged.

## As tools

The same by MCP: ${publicUrl}/mcp, with the same header. Everything else: ${publicUrl}/llms.txt
`;
}

/** The index by which clients find skills (https://agentskills.io/well-known-uri, 0.2.0). */
export function skillIndex(skill: string): object {
  const digest = `sha256:${hash('sha256', skill, 'hex')}`;
  return {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [{ name: SKILL_NAME, type: 'skill-md', description: DESCRIPTION, url: SKILL_PATH, digest }],
  };
}
