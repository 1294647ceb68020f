import { resolve } from 'node:path';
import type { Demonstration } from './admin/demonstration.service.js';
import type { Env } from './platform/config/env.js';
import type { EmbeddedPart } from './platform/embedded/embedded.js';

/**
 * The text that a start prints for a newcomer: where the service listens, what to try, and which parts production replaces.
 * @param demonstration null where the database is not ours
 */
export function banner(
  env: Pick<Env, 'publicUrl' | 'dataDir'>,
  parts: readonly EmbeddedPart[],
  demonstration: Demonstration | null,
): string {
  const url = env.publicUrl;
  const warnings = parts.map(
    (part) => `  Warning  ${part.what} is embedded, for trying out: in production set ${part.replaceWith}.`,
  );
  const data = parts.length > 0 ? [`  Data     ${resolve(env.dataDir)} (kept between runs)`] : [];
  return [
    '',
    `Mailsonde listens on ${url}`,
    '',
    `  Try it   ${url}/`,
    `  Console  ${url}/console`,
    `  Docs     ${url}/docs`,
    '',
    ...(demonstration === null ? agentStart(url) : demonstrationStart(url, demonstration)),
    '',
    ...warnings,
    ...data,
    '',
    '',
  ].join('\n');
}

function agentStart(url: string): string[] {
  return [
    '  Get a key:',
    `    curl -sX POST ${url}/agent-gateway/register`,
    '',
    '  Verify an address with its "api_key":',
    ...verifyCommand(url, 'ms_agent_...', 'someone@example.com'),
  ];
}

function demonstrationStart(url: string, { accountId, keys }: Demonstration): string[] {
  if (keys === null) return laterStart(url, accountId);
  return [
    '  Two keys, shown now and never again:',
    `    Test     ${keys.test}   (of the demonstration account: a simulated mail world, works without a network, costs nothing)`,
    `    Admin    ${keys.admin}  (of no account: administers the service, for /admin/v1)`,
    '',
    '  Verify an address of the simulated world:',
    ...verifyCommand(url, keys.test, 'valid@example.com'),
    '',
    '  Get a key for real addresses:',
    `    curl -sX POST ${url}/agent-gateway/register`,
  ];
}

function laterStart(url: string, accountId: string | null): string[] {
  const test =
    accountId === null ? [] : [`    npm run admin -- keys create ${accountId} --kind test   (a simulated mail world)`];
  return [
    '  A test key and an admin key were shown at the first start. For new ones:',
    '    npm run admin -- create-key --name <who>   (an admin key, for MAILSONDE_ADMIN_KEY)',
    ...test,
    '',
    ...agentStart(url),
  ];
}

function verifyCommand(url: string, key: string, email: string): string[] {
  return [
    `    curl -s ${url}/api/v1/verify -H 'Authorization: Bearer ${key}' \\`,
    `      -H 'Content-Type: application/json' -d '{"email": "${email}"}'`,
  ];
}
