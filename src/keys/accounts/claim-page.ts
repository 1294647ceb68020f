import type { KeyPolicy } from '../../platform/config/policies.js';
import { escaped, textPage } from '../../platform/http/built-pages.js';
import { PRODUCT } from '../../platform/product.js';

/** How to claim an agent, by media type: a page for browsers, text for models, JSON for programs. */
export function claimPage(publicUrl: string, { dailyFreeCredits, keyLifeDays }: KeyPolicy) {
  const what = `An agent that works for you uses ${PRODUCT.title} to check email addresses: ${dailyFreeCredits} a day, free, for ${keyLifeDays} days. Claim its key, and it goes on beyond both under your account.`;
  const steps = [
    `Ask the agent for its claim_token (ms_claim_…): it got it together with its key. The key itself (ms_agent_…) does it too, as agent_key.`,
    `Have a full account with a live key (ms_live_…). The operator of this service gives accounts.`,
    `Sign in with it at ${publicUrl}/console/claim and paste the token there, or send both as below. Never put it into an address.`,
  ];
  const gets = [
    `Its ${dailyFreeCredits} free checks a day stay, with its rate, its size of batches and its replies.`,
    'What goes beyond them is charged to your account, up to the ceilings that you send (credits_per_day, credits_per_month, credits_total): nothing unless you send one.',
    'Its batches and lists are among yours, and its key is in GET /api/v1/keys: rename it, give it other ceilings or revoke it there.',
    `Its key no longer ends after ${keyLifeDays} days, unless you send expires_at.`,
    'A key is claimed once, by one account.',
  ];
  const request = {
    method: 'POST',
    url: `${publicUrl}/api/v1/claims`,
    body: { claim_token: 'ms_claim_…', credits_per_day: 100 },
  };
  const curl = `curl ${request.url} -H "Authorization: Bearer $MAILSONDE_KEY" -H 'Content-Type: application/json' -d '${JSON.stringify(request.body)}'`;
  const list = (lines: readonly string[], mark: (i: number) => string) =>
    lines.map((line, i) => `${mark(i)} ${line}`).join('\n');
  const text = `# Claim an agent\n\n${what}\n\n${list(steps, (i) => `${i + 1}.`)}\n\n    ${curl}\n\n${list(gets, () => '-')}\n`;
  const form = `${publicUrl}/console/claim`;
  const items = (lines: readonly string[]) => lines.map((line) => `<li>${escaped(line)}</li>`).join('');
  const html = `<h1>Claim an agent</h1><p>${escaped(what)}</p><ol>${items(steps)}</ol>
<p><a href="${escaped(form)}">Claim it in the console</a>, or by a request:</p>
<div class="code"><pre tabindex="0" role="region" aria-label="Command to claim an agent"><code>${escaped(curl)}</code></pre></div><ul>${items(gets)}</ul>`;
  const json = JSON.stringify({ what, steps, request, gets });
  // In the order for callers who take anything, most of them programs that read text.
  return {
    'text/plain': text,
    'text/html': textPage({ title: 'Claim an agent', html }),
    'text/markdown': text,
    'application/json': json,
  };
}
