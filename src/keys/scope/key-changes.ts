import { invalidField, AppError } from '../../platform/errors/app-error.js';
import { type GivenCeilings, checkSpendsNoMore, spendsNoMore, type Spender } from './ceilings.js';
import {
  type KeyKind,
  ADMIN_PERMISSIONS,
  type AdminPermission,
  type Permission,
  PERMISSIONS,
  accountScope,
  adminScope,
  type KeyScope,
  AGENT_PERMISSIONS,
  checkHolds,
  missingPermissions,
  namesOf,
  permissionMissing,
} from './key-scope.js';
import { covers } from './networks.js';

/** So long a rotated key still works, unless it is asked otherwise. */
export const GRACE_SECONDS = { default: 86_400, max: 604_800 } as const;

/** What of a key is to change: a member that is left out stays, and null lifts a limit or takes the name away. */
export interface KeyUpdate extends GivenCeilings {
  readonly name?: string | null;
  readonly permissions?: readonly (Permission | AdminPermission)[] | null;
  readonly networks?: readonly string[] | null;
}

/** The same as it is stored. */
export type KeyChanges = Partial<KeyScope & { readonly name: string | null }>;

/** @throws AppError `invalid_input` for a text that is no network, and for permissions of another kind of key */
export function readChanges(kind: KeyKind, { name, permissions, networks }: KeyUpdate): KeyChanges {
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

/** All that two keys are compared by. Their kinds are compared before: a test key finds no live one, and makes none. */
export interface KeyReach extends KeyScope, Spender {
  readonly expiresAt: Date | null;
  /** May lie ahead: a rotated key in its grace. */
  readonly revokedAt: Date | null;
}

/** What no list names: the permissions of later versions, which a key without a list has too. */
export const ALL = 'all';

/** What a key may whose permissions are not limited: more than any list names. An agent's may no more in later versions. */
const EVERY_PERMISSION = { admin: [ALL], agent: AGENT_PERMISSIONS, live: [ALL], test: [ALL] } as const;

/**
 * Checks that a key may make, change, rotate or revoke another one, which none may that may more than itself. The keys of accounts are
 * not compared with those of administrators, who reach them all.
 * @param own null: the command line, which may everything
 * @throws AppError in what the other one may more: `permission_missing`, naming the first one, `address_not_allowed`,
 *   `ceiling_not_allowed`, `key_lasts_longer`
 */
export function checkMayNoMore(own: KeyReach | null, other: KeyReach): void {
  if (own === null || reachesAll(own, other.kind)) return;
  const missing = missingPermissions(own.permissions, other.permissions ?? EVERY_PERMISSION[other.kind]);
  if (missing.length > 0)
    throw permissionMissing(
      missing,
      missing[0] === ALL && other.kind !== 'admin'
        ? `${NONE_REACHES} may more than itself: that one has all permissions, those of later versions too, and this key those of its list.`
        : `${NONE_REACHES} may more than itself, and this key lacks ${namesOf(missing)}.`,
    );
  if (!covers(own.networks, other.networks))
    throw new AppError('address_not_allowed', { message: `${NONE_REACHES} works from more networks than itself.` });
  checkSpendsNoMore(own, other);
  if (endMsOf(other) > endMsOf(own)) throw new AppError('key_lasts_longer');
}

/** Whether a change of a key lets it do more than before. */
export function isWidened(before: KeyReach, after: KeyReach): boolean {
  const missing = missingPermissions(before.permissions, after.permissions ?? EVERY_PERMISSION[after.kind]);
  return missing.length > 0 || !covers(before.networks, after.networks) || !spendsNoMore(before, after);
}

/** Whether whoever makes, rotates or widens a key of this kind could act as a customer by it: a test key reaches nothing real. */
export function isImpersonation(giver: KeyReach | null, kind: KeyKind): boolean {
  return giver?.kind === 'admin' && (kind === 'live' || kind === 'agent');
}

/** @throws AppError `permission_missing` */
export function checkImpersonates(giver: KeyReach | null, kind: KeyKind): void {
  if (giver === null || !isImpersonation(giver, kind)) return;
  checkHolds(giver, ['impersonate'], ACTS_AS_CUSTOMER);
}

/** What routes of administrators say that change keys of customers. */
export const MAY_NEED_IMPERSONATE =
  'To create, rotate or widen a live key of a customer, or to widen the key of an agent, it needs "impersonate", which includes that.';

const ACTS_AS_CUSTOMER =
  "which an administrator needs to create, rotate or widen a customer's live key, or to widen an agent's key";
const NONE_REACHES = 'A key makes, changes, rotates and revokes none that';

/**
 * Until when a new key lasts: no longer than the key that makes it, and as long where its own end is not asked for.
 * @throws AppError `invalid_input` for a later end
 */
export function endWithin(maker: KeyReach | null, kind: KeyKind, asked: Date | null): Date | null {
  const latest = maker === null || reachesAll(maker, kind) ? null : maker.expiresAt;
  if (latest === null || asked === null) return asked ?? latest;
  if (asked <= latest) return asked;
  throw invalidField('expires_at', `must not be later than ${latest.toISOString()}, when the key that makes it ends`);
}

/** Checks that a key has not been rotated: what took its place acts for it. @throws AppError `key_in_grace` */
export function checkIsInPlace(own: KeyReach | null): void {
  if (own !== null && own.revokedAt !== null) throw new AppError('key_in_grace');
}

/** Those who administer reach the keys of accounts, whatever these may, and their own ends are nothing to an account. */
function reachesAll(own: KeyReach, kind: KeyKind): boolean {
  return own.kind === 'admin' && kind !== 'admin';
}

function endMsOf({ expiresAt, revokedAt }: KeyReach): number {
  return Math.min(expiresAt?.getTime() ?? Infinity, revokedAt?.getTime() ?? Infinity);
}
