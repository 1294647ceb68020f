import { resolve } from 'node:path';
import type { Env } from './platform/config/env.js';
import type { EmbeddedPart } from './platform/embedded/embedded.js';

/** What a newcomer needs once the service listens: where it is, what to try, and what production replaces. */
export function banner(env: Pick<Env, 'publicUrl' | 'dataDir'>, parts: readonly EmbeddedPart[]): string {
  const url = env.publicUrl;
  const warnings = parts.map(
    (part) => `  Warning  ${part.what} is embedded, for trying out: in production set ${part.replaceWith}.`,
  );
  const data = parts.length > 0 ? [`  Data     ${resolve(env.dataDir)} (kept between runs)`] : [];
  return [
    '',
    `Mailsonde listens on ${url}`,
    '',
    `  Docs     ${url}/docs`,
    '',
    '  Get a key:',
    `    curl -sX POST ${url}/agent-gateway/register`,
    '',
    '  Verify an address with its "api_key":',
    `    curl -s ${url}/api/v1/verify -H 'Authorization: Bearer ms_agent_...' \\`,
    `      -H 'Content-Type: application/json' -d '{"email": "someone@example.com"}'`,
    '',
    ...warnings,
    ...data,
    '',
    '',
  ].join('\n');
}
