import { AppError } from '../../platform/errors/app-error.js';
import type { KeyKind } from '../access/principal.js';
import { type HeldPermissions, PERMISSIONS } from './permissions.js';

/** What a key may do, beyond what its kind decides. */
export interface KeyScope {
  readonly permissions: HeldPermissions;
}

export const UNLIMITED: KeyScope = { permissions: null };

/**
 * Checks that a key may give out a key with this scope: none makes, changes or rotates into one that may more than itself.
 * @throws AppError `permission_missing`, naming one that the key itself lacks
 */
export function checkGives(own: KeyScope, given: KeyScope, kind: KeyKind): void {
  const all = kind === 'admin' ? (['all'] as const) : PERMISSIONS;
  const missing = missingPermission(own.permissions, given.permissions ?? all);
  if (missing === null) return;
  const message = `A key cannot make one that may more than itself, and this key lacks the permission "${missing}".`;
  throw permissionMissing(missing, message);
}

/** The first permission that is needed and not held; null when nothing is missing. */
export function missingPermission<Needed extends string>(
  held: HeldPermissions,
  needed: readonly Needed[],
): Needed | null {
  if (held === null) return null;
  return needed.find((one) => !(held as readonly string[]).includes(one)) ?? null;
}

export function permissionMissing(permission: string, message: string): AppError {
  return new AppError('permission_missing', { message, body: { permission } });
}
