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
