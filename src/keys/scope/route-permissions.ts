import {
  missingPermission,
  permissionMissing,
  type AdminPermission,
  type HeldPermissions,
  type Permission,
} from './key-scope.js';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
type AccountRows = Readonly<Record<`${Method} /api/v1/${string}`, Permission | readonly Permission[]>>;
/** A person who may sign in may see as whom, and sign out. */
type ConsoleRows = Readonly<Record<`${Method} /console/${string}`, readonly []>>;
type AdminRows = Readonly<Record<`${Method} /admin/v1/${string}`, AdminPermission>>;

/**
 * What a key needs for each route that takes one; of several it needs every one. Routes for everybody have no row. A tool of MCP
 * needs what its route needs. `test/api/permissions.spec.ts` fails for a route without a row.
 */
export const ROUTE_PERMISSIONS = {
  'POST /api/v1/verify': 'verify',
  'POST /api/v1/estimate': 'verify',
  'GET /api/v1/verification-settings': 'verify',
  'PATCH /api/v1/verification-settings': 'settings',

  'POST /api/v1/verify/batch': 'batches',
  'GET /api/v1/verify/batch': 'batches',
  'GET /api/v1/verify/batch/:id': 'batches',
  'POST /api/v1/verify/batch/:id/start': 'batches',
  'PATCH /api/v1/verify/batch/:id': 'batches',
  'GET /api/v1/verify/batch/:id/events': 'batches',
  'GET /api/v1/verify/batch/:id/results': 'results',
  'GET /api/v1/verify/batch/:id/summary': 'results',
  'DELETE /api/v1/verify/batch/:id': 'batches',
  'GET /api/v1/batch-settings': 'batches',
  'PATCH /api/v1/batch-settings': 'settings',

  'POST /api/v1/finder/email': 'finder',
  'POST /api/v1/finder/batch': 'finder',
  'GET /api/v1/finder/batch': 'finder',
  'GET /api/v1/finder/batch/:id': 'finder',
  'POST /api/v1/finder/batch/:id/start': 'finder',
  'PATCH /api/v1/finder/batch/:id': 'finder',
  'GET /api/v1/finder/batch/:id/results': ['finder', 'results'],
  'GET /api/v1/finder/batch/:id/summary': ['finder', 'results'],
  'DELETE /api/v1/finder/batch/:id': 'finder',

  'GET /api/v1/lists': 'lists',
  // With its first rows.
  'GET /api/v1/lists/:id': ['lists', 'results'],
  'GET /api/v1/lists/:id/download': ['lists', 'results'],
  // Its runs are batches, which cost credits.
  'POST /api/v1/lists/:id/schedule': ['lists', 'batches'],
  'GET /api/v1/lists/:id/schedule': 'lists',
  'GET /api/v1/schedules': 'lists',
  'DELETE /api/v1/lists/:id/schedule': 'lists',
  'GET /api/v1/lists/:id/changes': ['lists', 'results'],
  'PATCH /api/v1/lists/:id': 'lists',
  'DELETE /api/v1/lists/:id': 'lists',

  'GET /api/v1/blacklists': 'deliverability',
  'POST /api/v1/blacklists/check': 'deliverability',
  'GET /api/v1/blacklists/checks': 'deliverability',
  'GET /api/v1/blacklists/checks/:id': 'deliverability',
  'POST /api/v1/domains/check': 'deliverability',
  'GET /api/v1/domains/checks': 'deliverability',
  'GET /api/v1/domains/checks/:id': 'deliverability',
  'POST /api/v1/monitors': 'deliverability',
  'GET /api/v1/monitors': 'deliverability',
  'GET /api/v1/monitors/:id': 'deliverability',
  'PATCH /api/v1/monitors/:id': 'deliverability',
  'PATCH /api/v1/monitors/:id/lists/:list': 'deliverability',
  'DELETE /api/v1/monitors/:id': 'deliverability',
  'POST /api/v1/monitors/:id/run': 'deliverability',
  'GET /api/v1/monitors/:id/runs': 'deliverability',
  'GET /api/v1/monitors/:id/runs/:run_id': 'deliverability',
  'GET /api/v1/monitors/:id/diff': 'deliverability',
  'GET /api/v1/monitors/:id/findings': 'deliverability',
  'PATCH /api/v1/monitors/:id/findings/:finding_id': 'deliverability',
  'GET /api/v1/monitors/:id/events': 'deliverability',
  'POST /api/v1/placement/analyze': 'deliverability',
  'POST /api/v1/placement/tests': 'deliverability',
  'GET /api/v1/placement/tests': 'deliverability',
  'GET /api/v1/placement/tests/:id': 'deliverability',
  'GET /api/v1/placement/tests/:id/message': 'deliverability',
  'GET /api/v1/placement/tests/:id/diff': 'deliverability',
  'DELETE /api/v1/placement/tests/:id': 'deliverability',
  'POST /api/v1/monitors/:id/verify-ownership': 'deliverability',
  'GET /api/v1/monitors/:id/reports': 'deliverability',
  'GET /api/v1/monitors/:id/sources': 'deliverability',
  'GET /api/v1/monitors/:id/reports/unreadable': 'deliverability',
  'GET /api/v1/monitors/:id/tls-reports': 'deliverability',
  'GET /api/v1/monitors/:id/tls-failures': 'deliverability',
  'GET /api/v1/placement/seeds': 'deliverability',

  'GET /api/v1/credits': 'credits',
  'GET /api/v1/credits/history': 'credits',
  'GET /api/v1/usage': 'credits',

  'GET /api/v1/audit': 'audit',

  'POST /api/v1/claims': 'keys',

  'GET /api/v1/keys': 'keys',
  'POST /api/v1/keys': 'keys',
  'PATCH /api/v1/keys/:id': 'keys',
  'POST /api/v1/keys/:id/rotate': 'keys',
  'DELETE /api/v1/keys/:id': 'keys',

  'GET /api/v1/suppressions': 'suppressions',
  'POST /api/v1/suppressions': 'suppressions',
  'GET /api/v1/suppressions/:id': 'suppressions',
  'DELETE /api/v1/suppressions/:id': 'suppressions',
  'GET /api/v1/suppression-settings': 'suppressions',
  'PATCH /api/v1/suppression-settings': 'settings',

  // It takes rows out of results, and addresses off or onto the suppression list.
  'POST /api/v1/erasures': ['results', 'suppressions'],
  'GET /api/v1/erasures': ['results', 'suppressions'],
  'GET /api/v1/erasures/:id': ['results', 'suppressions'],

  // All that the account has.
  'GET /api/v1/export': [
    'batches',
    'results',
    'lists',
    'finder',
    'webhooks',
    'keys',
    'credits',
    'suppressions',
    'audit',
  ],

  'POST /api/v1/webhooks': 'webhooks',
  'GET /api/v1/webhooks': 'webhooks',
  'GET /api/v1/webhooks/:id': 'webhooks',
  'PATCH /api/v1/webhooks/:id': 'webhooks',
  'DELETE /api/v1/webhooks/:id': 'webhooks',
  'POST /api/v1/webhooks/:id/rotate-secret': 'webhooks',
  'POST /api/v1/webhooks/:id/test': 'webhooks',
  'POST /api/v1/webhooks/:id/samples/:event': 'webhooks',
  'GET /api/v1/webhooks/:id/deliveries': 'webhooks',
  'POST /api/v1/webhooks/:id/redeliver': 'webhooks',
  'GET /api/v1/webhooks/deliveries/:id': 'webhooks',
  'POST /api/v1/webhooks/deliveries/:id/redeliver': 'webhooks',

  'GET /console/session': [],
  'DELETE /console/session': [],

  // `support` is everything but credits and plans.
  'GET /admin/v1/openapi.json': 'read',
  'GET /admin/v1/accounts': 'read',
  'POST /admin/v1/accounts': 'all',
  'GET /admin/v1/accounts/:id': 'read',
  'PATCH /admin/v1/accounts/:id': 'all',
  'POST /admin/v1/accounts/:id/suspend': 'support',
  'POST /admin/v1/accounts/:id/resume': 'support',
  'POST /admin/v1/accounts/:id/credits/grant': 'all',
  'POST /admin/v1/accounts/:id/credits/adjust': 'all',
  'GET /admin/v1/accounts/:id/ledger': 'read',
  'GET /admin/v1/accounts/:id/audit': 'read',
  'GET /admin/v1/accounts/:id/keys': 'read',
  'POST /admin/v1/accounts/:id/keys': 'support',
  'GET /admin/v1/agents': 'read',
  'POST /admin/v1/agents/revoke': 'support',
  'GET /admin/v1/pool': 'read',
  'PATCH /admin/v1/pool': 'all',
  'GET /admin/v1/audit': 'read',
  'GET /admin/v1/search': 'read',
  'GET /admin/v1/keys': 'read',
  'GET /admin/v1/keys/:id': 'read',
  'POST /admin/v1/keys/lookup': 'read',
  'POST /admin/v1/keys': 'support',
  'PATCH /admin/v1/keys/:id': 'support',
  'POST /admin/v1/keys/:id/rotate': 'support',
  'DELETE /admin/v1/keys/:id': 'support',
  'GET /admin/v1/suppressions': 'read',
  'POST /admin/v1/suppressions': 'support',
  'DELETE /admin/v1/suppressions/:id': 'support',
  'GET /admin/v1/egress': 'read',
  'POST /admin/v1/egress/:id/drain': 'support',
  'POST /admin/v1/egress/:id/pause': 'support',
  'POST /admin/v1/egress/:id/resume': 'support',
  'POST /admin/v1/egress/:id/test': 'support',
  'GET /admin/v1/monitors': 'read',
  'POST /admin/v1/monitors/:id/pause': 'support',
  'POST /admin/v1/monitors/:id/resume': 'support',
  'GET /admin/v1/blacklists': 'read',
  'POST /admin/v1/blacklists/:id/test': 'support',
  'POST /admin/v1/blacklists/:id/turn-off': 'support',
  'POST /admin/v1/blacklists/:id/turn-on': 'support',
  'GET /admin/v1/opt-outs': 'read',
  'POST /admin/v1/opt-outs': 'support',
  'POST /admin/v1/opt-outs/:id/remove': 'support',
  'GET /admin/v1/placement/seeds': 'read',
  'POST /admin/v1/placement/seeds': 'support',
  'POST /admin/v1/placement/seeds/:id/test': 'support',
  'POST /admin/v1/placement/seeds/:id/rotate': 'support',
  'POST /admin/v1/placement/seeds/:id/off': 'support',
  'POST /admin/v1/placement/seeds/:id/on': 'support',
  'GET /admin/v1/operators': 'read',
  'POST /admin/v1/operators/:id/pause': 'support',
  'POST /admin/v1/operators/:id/resume': 'support',
  'GET /admin/v1/workers': 'read',
  'GET /admin/v1/lists': 'read',
  'GET /admin/v1/batches': 'read',
  'GET /admin/v1/batches/:id': 'read',
  'POST /admin/v1/batches/:id/retry': 'support',
  'GET /admin/v1/erasures': 'read',
  'GET /admin/v1/deliveries': 'read',
  'POST /admin/v1/deliveries/:id/retry': 'support',
} as const satisfies AccountRows & AdminRows & ConsoleRows;

/** A route by its method and its path as it is declared. */
export type GuardedRoute = keyof typeof ROUTE_PERMISSIONS;

/**
 * @param route such as `POST /api/v1/verify`
 * @throws AppError `permission_missing`
 */
export function checkPermission(held: HeldPermissions, route: string): void {
  if (held === null) return;
  const missing = missingPermission(held, neededFor(route));
  if (missing !== null) throw permissionMissing(missing, `This key lacks the permission "${missing}".`);
}

export function neededFor(route: string): readonly string[] {
  if (!Object.hasOwn(ROUTE_PERMISSIONS, route))
    throw new Error(`${route} needs a row in ROUTE_PERMISSIONS of src/keys/scope/route-permissions.ts`);
  return [ROUTE_PERMISSIONS[route as GuardedRoute]].flat<readonly (string | readonly string[])[]>();
}
