import { AppError } from '../../platform/errors/app-error.js';
import type { KeyKind } from './key-kind.js';
import { covers, readNetworks } from './networks.js';
import {
  accountPermissions,
  type AdminPermission,
  adminPermissions,
  type HeldPermissions,
  type Permission,
  PERMISSIONS,
} from './permissions.js';

/** What a key may do, and from where, beyond what its kind decides. */
export interface KeyScope {
  readonly permissions: HeldPermissions;
  /** In CIDR notation; null: everywhere. */
  readonly networks: readonly string[] | null;
}

export const UNLIMITED: KeyScope = { permissions: null, networks: null };

/** A scope as it is asked for; what is left out or null is not limited. */
export interface AskedScope<Name = Permission> {
  readonly permissions?: readonly Name[] | null;
  readonly networks?: readonly string[] | null;
}

/** @throws AppError `invalid_input` for a text that is no network */
export function accountScope({ permissions, networks }: AskedScope): KeyScope {
  return { permissions: accountPermissions(permissions), networks: readNetworks(networks) };
}

/** @throws AppError `invalid_input` for a text that is no network */
export function adminScope({ permissions, networks }: AskedScope<AdminPermission>): KeyScope {
  return { permissions: adminPermissions(permissions), networks: readNetworks(networks) };
}

/**
 * Checks that a key may give out a key with this scope: none makes, changes or rotates into one that may more than itself.
 * @throws AppError `permission_missing`, naming one that the key itself lacks; `address_not_allowed`
 */
export function checkGives(own: KeyScope, given: KeyScope, kind: KeyKind): void {
  const all = kind === 'admin' ? (['all'] as const) : PERMISSIONS;
  const missing = missingPermission(own.permissions, given.permissions ?? all);
  if (missing !== null) {
    const message = `A key cannot make one that may more than itself, and this key lacks the permission "${missing}".`;
    throw permissionMissing(missing, message);
  }
  if (!covers(own.networks, given.networks)) throw new AppError('address_not_allowed', { message: TOO_FAR });
}

const TOO_FAR = 'A key cannot make one that works from more networks than itself.';

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
