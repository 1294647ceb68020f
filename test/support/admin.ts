import { openDatabaseProgram } from '../../src/cli/admin/database-program.js';
import { runProgram } from '../../src/cli/admin/run-program.js';
import { createAdminClient } from '../../src/client/client.js';
import { KeyAdministrationService } from '../../src/admin/key-administration.service.js';
import { UNLIMITED } from '../../src/keys/scope/key-scope.js';
import type { TestService } from './service.js';

export const TESTER = { keyId: null, name: 'tester', origin: 'test', claim: null };

/** The first admin key of a service, for commands. */
const keys = new WeakMap<object, string>();

/** A new admin key. */
export async function createAdminKey(service: Pick<TestService, 'app'>, name = 'tester'): Promise<string> {
  const request = { kind: 'admin', accountId: null, name, expiresAt: null, scope: UNLIMITED } as const;
  const { token } = await service.app.get(KeyAdministrationService).create(TESTER, request);
  if (!keys.has(service.app)) keys.set(service.app, token);
  return token;
}

/** One run of `npm run admin` beside the service, with an admin key; what needs none works on the service's database. */
export async function runAdmin(
  service: Pick<TestService, 'app' | 'env' | 'url'>,
  ...argv: string[]
): Promise<{ exit: number; out: string; error: string }> {
  let [out, error] = ['', ''];
  const connect = async () => {
    const apiKey = keys.get(service.app) ?? (await createAdminKey(service));
    return { url: service.url, api: createAdminClient({ baseUrl: service.url, apiKey }) };
  };
  const open = () => openDatabaseProgram(service.env, service.env.databaseUrl, false);
  const terminal = { out: (text: string) => void (out += text), error: (text: string) => void (error += text) };
  return { exit: await runProgram(argv, { connect, open }, terminal), out, error };
}
