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
export interface ScopeInput<Name = Permission> {
  readonly permissions?: readonly Name[] | null;
  readonly networks?: readonly string[] | null;
}

/** @throws AppError `invalid_input` for a text that is no network */
export function accountScope({ permissions, networks }: ScopeInput): KeyScope {
  return { permissions: accountPermissions(permissions), networks: readNetworks(networks) };
}

/** @throws AppError `invalid_input` for a text that is no network */
export function adminScope({ permissions, networks }: ScopeInput<AdminPermission>): KeyScope {
  return { permissions: adminPermissions(permissions), networks: readNetworks(networks) };
}

/** The permissions that are needed and not held. */
export function missingPermissions<Needed extends string>(
  held: HeldPermissions,
  needed: readonly Needed[],
): readonly Needed[] {
  if (held === null) return [];
  return needed.filter((one) => !(held as readonly string[]).includes(one));
}

/** Permissions in a sentence: `the permission "verify"`, `the permissions "lists" and "results"`. */
export function namesOf(permissions: readonly string[]): string {
  const names = new Intl.ListFormat('en').format(permissions.map((one) => `"${one}"`));
  return `the permission${permissions.length === 1 ? '' : 's'} ${names}`;
}

/**
 * Checks what a route needs.
 * @param more what a part of its work needs beyond that, in a sentence
 * @throws AppError `permission_missing`, naming what is missing
 */
export function checkPermissions(held: HeldPermissions, needed: readonly string[], more?: string): void {
  const missing = missingPermissions(held, needed);
  if (missing.length > 0)
    throw permissionMissing(missing, `This key lacks ${namesOf(missing)}.${more === undefined ? '' : ` ${more}`}`);
}

/**
 * Checks what a body asks for beyond its route.
 * @param act a sentence's end, such as `which webhook_url needs`
 * @throws AppError `permission_missing`, naming what is missing
 */
export function checkHolds(
  { permissions }: Pick<KeyScope, 'permissions'>,
  needed: readonly (Permission | AdminPermission)[],
  act: string,
): void {
  const missing = missingPermissions(permissions, needed);
  if (missing.length > 0) throw permissionMissing(missing, `This key lacks ${namesOf(missing)}, ${act}.`);
}

/** @param missing the reply names the first one by itself, and the sentence all of them */
export function permissionMissing([permission]: readonly string[], message: string): AppError {
  return new AppError('permission_missing', { message, body: { permission } });
}
