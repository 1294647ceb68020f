import { invalidField } from '../../platform/errors/app-error.js';
import type { GivenCeilings } from '../ceilings/ceilings.js';
import type { KeyKind } from './key-kind.js';
import { accountScope, adminScope, type KeyScope } from './key-scope.js';
import { ADMIN_PERMISSIONS, type AdminPermission, type Permission, PERMISSIONS } from './permissions.js';

/** So long a rotated key still works, unless it is asked otherwise. */
export const GRACE_SECONDS = { default: 86_400, most: 604_800 } as const;

/** What of a key is to change: a member that is left out stays, and null lifts a limit or takes the name away. */
export interface AskedChanges extends GivenCeilings {
  readonly name?: string | null;
  readonly permissions?: readonly (Permission | AdminPermission)[] | null;
  readonly networks?: readonly string[] | null;
}

/** The same as it is stored. */
export type KeyChanges = Partial<KeyScope & { readonly name: string | null }>;

/** @throws AppError `invalid_input` for a text that is no network, and for permissions of another kind of key */
export function readChanges(kind: KeyKind, { name, permissions, networks }: AskedChanges): KeyChanges {
  const known: readonly string[] = kind === 'admin' ? ADMIN_PERMISSIONS : PERMISSIONS;
  if (permissions?.some((one) => !known.includes(one)))
    throw invalidField('permissions', `of this key are of ${known.join(', ')}`);
  const asked = { permissions, networks } as object;
  const scope = kind === 'admin' ? adminScope(asked) : accountScope(asked);
  return {
    ...(name !== undefined && { name }),
    ...(permissions !== undefined && { permissions: scope.permissions }),
    ...(networks !== undefined && { networks: scope.networks }),
  };
}
