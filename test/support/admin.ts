import { KeyAdministrationService } from '../../src/admin/key-administration.service.js';
import { UNLIMITED } from '../../src/keys/scope/key-scope.js';
import type { TestService } from './service.js';

export const TESTER = { keyId: null, name: 'tester', origin: 'test', claim: null };

/** A new admin key. */
export async function createAdminKey(service: Pick<TestService, 'app'>, name = 'tester'): Promise<string> {
  const request = { kind: 'admin', accountId: null, name, expiresAt: null, scope: UNLIMITED } as const;
  return (await service.app.get(KeyAdministrationService).create(TESTER, request)).token;
}
