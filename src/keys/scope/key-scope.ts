import { AppError } from '../../platform/errors/app-error.js';
import { readNetworks } from './networks.js';
import {
  accountPermissions,
  type AdminPermission,
  adminPermissions,
  type HeldPermissions,
  type Permission,
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

/** The first permission that is needed and not held; null when nothing is missing. */
export function missingPermission<Needed extends string>(
  held: HeldPermissions,
  needed: readonly Needed[],
): Needed | null {
  if (held === null) return null;
  return needed.find((one) => !(held as readonly string[]).includes(one)) ?? null;
}

/** Checks what a route needs. @throws AppError `permission_missing`, naming the first one */
export function checkPermissions(held: HeldPermissions, needed: readonly string[]): void {
  const missing = missingPermission(held, needed);
  if (missing !== null) throw permissionMissing(missing, `This key lacks the permission "${missing}".`);
}

/**
 * Checks what a body asks for beyond its route.
 * @param act a sentence's end, such as `which webhook_url needs`
 * @throws AppError `permission_missing`, naming the first one
 */
export function checkHolds({ permissions }: KeyScope, needed: readonly Permission[], act: string): void {
  const missing = missingPermission(permissions, needed);
  if (missing !== null) throw permissionMissing(missing, `This key lacks the permission "${missing}", ${act}.`);
}

export function permissionMissing(permission: string, message: string): AppError {
  return new AppError('permission_missing', { message, body: { permission } });
}
