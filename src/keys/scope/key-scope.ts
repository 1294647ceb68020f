import { AppError } from '../../platform/errors/app-error.js';
import { readNetworks } from './networks.js';

export type KeyKind = 'agent' | 'live' | 'test' | 'admin';

/** What the key of an account may be allowed (docs/authentication.md#permissions). */
export const PERMISSIONS = [
  'verify',
  'batches',
  'results',
  'lists',
  'finder',
  'webhooks',
  'keys',
  'credits',
  'suppressions',
  'deliverability',
  'audit',
  'settings',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** What the key of an agent may at most. */
export const AGENT_PERMISSIONS = [
  'verify',
  'batches',
  'results',
  'lists',
  'credits',
] as const satisfies readonly Permission[];

/** What an admin key may be allowed: each holds those before it. `impersonate`: to make, rotate and widen the keys that customers act by. */
export const ADMIN_PERMISSIONS = ['read', 'support', 'impersonate', 'all'] as const;

export type AdminPermission = (typeof ADMIN_PERMISSIONS)[number];

/** Permissions as a key holds them; null: all, those of later versions too. */
export type HeldPermissions = readonly (Permission | AdminPermission)[] | null;

/** The permissions of an account's key, in one order however they were asked for. */
export function accountPermissions(asked: readonly Permission[] | null | undefined): HeldPermissions {
  return asked ? PERMISSIONS.filter((one) => asked.includes(one)) : null;
}

/** The permissions of an admin key, with those that they hold. */
export function adminPermissions(asked: readonly AdminPermission[] | null | undefined): HeldPermissions {
  if (!asked || asked.includes('all')) return null;
  const highest = Math.max(...asked.map((one) => ADMIN_PERMISSIONS.indexOf(one)));
  return ADMIN_PERMISSIONS.slice(0, highest + 1);
}

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
