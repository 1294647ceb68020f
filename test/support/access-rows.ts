import { DAY_MS } from '../../src/lib/durations.js';
import { PUBLIC_DOCUMENTS } from '../../src/discovery/documents.service.js';
import type { ThingName } from './things.js';

/** Who asks. With a thing in the path, `live` and `test` ask for a thing of their own account and mode. */
/** No opt-out may end later than in 400 days. */
const IN_A_MONTH = new Date(Date.now() + 30 * DAY_MS).toISOString();
const CALLERS = [
  'none',
  'malformed',
  'unknown',
  'expired',
  'revoked',
  'agent',
  'strangerLive',
  'strangerTest',
  'live',
  'test',
  'admin',
] as const;
/** Of the things that a path names: the other mode's keys of the owner's account. */
const ACROSS = ['testOnLive', 'liveOnTest'] as const;
export type Caller = (typeof CALLERS)[number] | (typeof ACROSS)[number];

type Expected = Readonly<Record<(typeof CALLERS)[number], number> & Partial<Record<(typeof ACROSS)[number], number>>>;

export interface AccessRow {
  /** The status for each caller; across modes where a thing is named. */
  readonly expected: Expected;
  /** What stands in the place of `:id`. */
  readonly thing?: ThingName;
  /** A body that the route takes, with every member that holds text. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** A listing of what an owner has: it shows what the owner made and nothing of anybody else. */
  readonly lists?: true;
}

const NO_KEY = { none: 401, malformed: 401, unknown: 401, expired: 401, revoked: 401 };

const everybody = (status: number) =>
  Object.fromEntries(CALLERS.map((caller) => [caller, status])) as Record<(typeof CALLERS)[number], number>;

/** Of no object: each key works on what is its own. */
const anyAccount = (status: number) => ({ ...everybody(status), ...NO_KEY, admin: 403 });
const fullAccount = (status: number) => ({ ...anyAccount(status), agent: 403 });

/** On an object: it is there for its owner alone, which is an account in one mode. */
const NOT_THERE = { strangerLive: 404, strangerTest: 404, testOnLive: 404, liveOnTest: 404 };
const anyOwner = (status: number) => ({ ...anyAccount(status), ...NOT_THERE, agent: 404 });
const fullOwner = (status: number) => ({ ...fullAccount(status), ...NOT_THERE });

/** A live key manages the test keys of its account: somebody must make the first one. */
const keyOwner = (status: number) => ({ ...fullOwner(status), liveOnTest: status });

const administrator = (status: number) => ({
  ...everybody(403),
  ...NO_KEY,
  testOnLive: 403,
  liveOnTest: 403,
  admin: status,
});

const EMAILS = { emails: ['valid@example.com'], name: 'Customers' };
const PEOPLE = {
  people: [{ full_name: 'Jane Doe', first_name: '', last_name: '', domain: 'example.com' }],
  name: 'Customers',
};
const LIMITS = { permissions: ['verify'], networks: ['192.0.2.0/24'] };
const CEILINGS = { ceilings: { credits_per_day: { credits: 5, used: 'not read', resets_at: 'nor this' } } };
const REASON = { reason: 'asked for by telephone' };

/** Every route by its method and path. A route without a row fails `access-matrix.spec.ts`. */
export const ACCESS_ROWS: Readonly<Record<string, AccessRow>> = {
  'GET /healthz': { expected: everybody(200) },
  'GET /readyz': { expected: everybody(200) },
  'GET /': { expected: everybody(200) },
  ...Object.fromEntries(
    Object.keys(PUBLIC_DOCUMENTS).flatMap((path) => [
      [`GET ${path}`, { expected: everybody(200) }],
      [`OPTIONS ${path}`, { expected: everybody(204) }],
    ]),
  ),
  'GET /docs/guides': { expected: everybody(200) },
  'GET /docs/guides/:name': { expected: everybody(200) },
  'GET /llms-full.txt': { expected: everybody(200) },
  'GET /changelog': { expected: everybody(200) },
  // Whoever follows them gets the document.
  'GET /openapi.json': { expected: everybody(200) },
  // Nobody is named until SECURITY_CONTACT is set.
  'GET /.well-known/security.txt': { expected: everybody(404) },
  'GET /robots.txt': { expected: everybody(200) },
  'GET /favicon.ico': { expected: everybody(200) },
  'GET /.well-known/mcp/server-card.json': { expected: everybody(200) },
  'GET /admin/v1/openapi.json': { expected: administrator(200) },
  'POST /mcp': { expected: everybody(200), body: { jsonrpc: '2.0', id: 1, method: 'ping' } },
  'POST /try': { expected: everybody(200), body: { email: 'valid@example.com' } },
  'GET /about-these-connections': { expected: everybody(200) },
  'POST /about-these-connections': {
    expected: everybody(200),
    body: { email: 'postmaster@example.com', mail_host: '' },
  },
  // Opened by a mailed link, and by no key.
  'GET /about-these-connections/opt-out': { expected: everybody(404) },
  'POST /about-these-connections/opt-out': { expected: everybody(404), body: { token: 'x'.repeat(43) } },
  'GET /claim': { expected: everybody(200) },
  'GET /console': { expected: everybody(200) },
  'GET /console/*': { expected: everybody(200) },
  // A program is no page of ours: it has no use for a cookie.
  'POST /console/session': { expected: everybody(400), body: { api_key: 'ms_test_x' } },
  'GET /console/session': { expected: { ...everybody(200), ...NO_KEY } },
  'DELETE /console/session': { expected: { ...everybody(204), ...NO_KEY } },
  'POST /agent-gateway/register': {
    expected: everybody(201),
    body: { name: 'Scout', purpose: 'Newsletters', contact: 'ops@example.com' },
  },

  'POST /api/v1/verify': { expected: anyAccount(200), body: { email: 'valid@example.com' } },
  'POST /api/v1/estimate': { expected: anyAccount(200), body: { emails: ['valid@example.com'] } },
  'GET /api/v1/batch-settings': { expected: fullAccount(200) },
  'PATCH /api/v1/batch-settings': { expected: fullAccount(200), body: { retention_days: 3 } },
  'GET /api/v1/verification-settings': { expected: fullAccount(200) },
  'PATCH /api/v1/verification-settings': { expected: fullAccount(200), body: { reuse: true } },
  'POST /api/v1/verify/batch': { expected: anyAccount(201), body: EMAILS },
  // Each row's body is JSON, and no table.
  'POST /api/v1/verify/preview': { expected: fullAccount(415), body: EMAILS },
  'GET /api/v1/verify/batch': { expected: anyAccount(200), lists: true },
  'GET /api/v1/verify/batch/:id': { expected: anyOwner(200), thing: 'batch' },
  // Only a held batch is started.
  'POST /api/v1/verify/batch/:id/start': { expected: anyOwner(409), thing: 'batch' },
  'PATCH /api/v1/verify/batch/:id': { expected: anyOwner(200), thing: 'batch', body: { retention_days: 3 } },
  'GET /api/v1/verify/batch/:id/events': { expected: anyOwner(200), thing: 'batch' },
  'GET /api/v1/verify/batch/:id/summary': { expected: anyOwner(200), thing: 'batch' },
  'GET /api/v1/verify/batch/:id/results': { expected: anyOwner(200), thing: 'batch' },
  'DELETE /api/v1/verify/batch/:id': { expected: anyOwner(200), thing: 'batch' },
  // Opened by the signature of a link, and by no key.
  'GET /api/v1/verify/batch/:id/download': {
    expected: { ...everybody(404), testOnLive: 404, liveOnTest: 404 },
    thing: 'batch',
  },

  'POST /api/v1/finder/email': {
    expected: fullAccount(200),
    body: { full_name: 'Jane Doe', first_name: '', last_name: '', domain: 'example.com' },
  },
  'POST /api/v1/finder/batch': { expected: fullAccount(201), body: PEOPLE },
  'GET /api/v1/finder/batch': { expected: fullAccount(200), lists: true },
  'GET /api/v1/finder/batch/:id': { expected: fullOwner(200), thing: 'people' },
  'POST /api/v1/finder/batch/:id/start': { expected: fullOwner(409), thing: 'people' },
  'PATCH /api/v1/finder/batch/:id': { expected: fullOwner(200), thing: 'people', body: { retention_days: 3 } },
  'GET /api/v1/finder/batch/:id/results': { expected: fullOwner(200), thing: 'people' },
  'GET /api/v1/finder/batch/:id/summary': { expected: fullOwner(200), thing: 'people' },
  'DELETE /api/v1/finder/batch/:id': { expected: fullOwner(200), thing: 'people' },

  'GET /api/v1/lists': { expected: fullAccount(200), lists: true },
  'GET /api/v1/lists/:id': { expected: fullOwner(200), thing: 'batch' },
  'GET /api/v1/lists/:id/download': { expected: fullOwner(200), thing: 'batch' },
  'GET /api/v1/schedules': { expected: fullAccount(200), lists: true },
  'POST /api/v1/lists/:id/schedule': {
    expected: fullOwner(200),
    thing: 'batch',
    body: { every_days: 7, verdicts: ['risky'] },
  },
  'GET /api/v1/lists/:id/schedule': { expected: fullOwner(200), thing: 'scheduledList' },
  'DELETE /api/v1/lists/:id/schedule': { expected: fullOwner(204), thing: 'scheduledList' },
  'GET /api/v1/lists/:id/changes': { expected: fullOwner(200), thing: 'batch' },
  'PATCH /api/v1/lists/:id': { expected: fullOwner(200), thing: 'batch', body: { name: 'Renamed' } },
  'DELETE /api/v1/lists/:id': { expected: fullOwner(204), thing: 'batch' },

  'GET /api/v1/credits': { expected: anyAccount(200) },
  'GET /api/v1/credits/history': { expected: fullAccount(200) },
  'GET /api/v1/usage': { expected: fullAccount(200) },

  'GET /api/v1/audit': { expected: fullAccount(200), lists: true },

  // No agent has this token; a test key claims nobody.
  'POST /api/v1/claims': {
    expected: { ...fullAccount(404), test: 403, strangerTest: 403 },
    body: { claim_token: 'ms_claim_', agent_key: null, name: 'Scout', expires_at: '2999-01-01T00:00:00Z', ...CEILINGS },
  },
  'GET /api/v1/keys': { expected: fullAccount(200), lists: true },
  'POST /api/v1/keys': {
    expected: fullAccount(201),
    body: { kind: 'test', name: 'Shop', expires_at: '2999-01-01T00:00:00Z', ...LIMITS, ...CEILINGS },
  },
  'PATCH /api/v1/keys/:id': { expected: keyOwner(200), thing: 'key', body: { name: 'Shop', ...LIMITS, ...CEILINGS } },
  'POST /api/v1/keys/:id/rotate': { expected: keyOwner(201), thing: 'key', body: { grace_seconds: 60 } },
  'DELETE /api/v1/keys/:id': { expected: keyOwner(204), thing: 'key' },

  'GET /api/v1/placement/seeds': { expected: fullAccount(200) },
  'GET /api/v1/blacklists': { expected: fullAccount(200) },
  'POST /api/v1/blacklists/check': {
    expected: fullAccount(200),
    // No resolver knows the list for live keys, which costs nothing.
    body: { targets: ['example.com'], lists: ['psbl'] },
  },
  'GET /api/v1/blacklists/checks': { expected: fullAccount(200), lists: true },
  'GET /api/v1/blacklists/checks/:id': { expected: fullOwner(200), thing: 'blacklistCheck' },
  // No resolver answers, which costs nothing.
  'POST /api/v1/domains/check': {
    expected: fullAccount(200),
    body: {
      domain: 'example.com',
      dkim_selectors: ['s1'],
      sending_addresses: ['8.8.4.25'],
      checks: ['spf'],
      timeout_ms: 1000,
    },
  },
  'GET /api/v1/domains/checks': { expected: fullAccount(200), lists: true },
  'GET /api/v1/domains/checks/:id': { expected: fullOwner(200), thing: 'domainCheck' },
  'POST /api/v1/monitors': {
    expected: fullAccount(201),
    body: {
      kind: 'domain',
      target: 'example.com',
      name: 'Shop',
      checks: ['spf'],
      dkim_selectors: ['s1'],
      sending_addresses: ['8.8.4.25'],
      alert_from: 'critical',
      enabled: false,
    },
  },
  'GET /api/v1/monitors': { expected: fullAccount(200), lists: true },
  'GET /api/v1/monitors/:id': { expected: fullOwner(200), thing: 'monitor' },
  'PATCH /api/v1/monitors/:id': {
    expected: fullOwner(200),
    thing: 'monitor',
    body: {
      name: 'Shop',
      checks: ['spf'],
      dkim_selectors: ['s1'],
      sending_addresses: ['8.8.4.25'],
      alert_from: 'critical',
    },
  },
  'PATCH /api/v1/monitors/:id/lists/:list': {
    expected: fullOwner(200),
    thing: 'monitor',
    body: { note: 'Known', muted_until: '2099-01-01T00:00:00Z' },
  },
  'DELETE /api/v1/monitors/:id': { expected: fullOwner(204), thing: 'monitor' },
  // It is switched off.
  'POST /api/v1/monitors/:id/run': { expected: fullOwner(409), thing: 'monitor' },
  'GET /api/v1/monitors/:id/runs': { expected: fullOwner(200), thing: 'monitor' },
  // It has no runs and no findings.
  'GET /api/v1/monitors/:id/runs/:run_id': { expected: fullOwner(404), thing: 'monitor' },
  'GET /api/v1/monitors/:id/diff': { expected: fullOwner(422), thing: 'monitor' },
  'GET /api/v1/monitors/:id/findings': { expected: fullOwner(200), thing: 'monitor' },
  'PATCH /api/v1/monitors/:id/findings/:finding_id': {
    expected: fullOwner(404),
    thing: 'monitor',
    body: { note: 'Known', muted_until: '2099-01-01T00:00:00Z' },
  },
  'GET /api/v1/monitors/:id/events': { expected: fullOwner(200), thing: 'monitor' },
  // An empty body, which costs nothing.
  'POST /api/v1/placement/analyze': { expected: fullAccount(422) },
  'POST /api/v1/placement/tests': {
    expected: fullAccount(201),
    body: { name: 'March', seeds: 'none', settle_minutes: 5, expires_minutes: 5 },
  },
  'GET /api/v1/placement/tests': { expected: fullAccount(200), lists: true },
  'GET /api/v1/placement/tests/:id': { expected: fullOwner(200), thing: 'placementTest' },
  'GET /api/v1/placement/tests/:id/message': { expected: fullOwner(409), thing: 'placementTest' },
  // Without `to`; `placement.spec.ts` asks with it.
  'GET /api/v1/placement/tests/:id/diff': { expected: fullOwner(422), thing: 'placementTest' },
  'DELETE /api/v1/placement/tests/:id': { expected: fullOwner(204), thing: 'placementTest' },
  'POST /api/v1/monitors/:id/verify-ownership': { expected: fullOwner(200), thing: 'monitor' },
  'GET /api/v1/monitors/:id/reports': { expected: fullOwner(200), thing: 'monitor' },
  'GET /api/v1/monitors/:id/reports/unreadable': { expected: fullOwner(200), thing: 'monitor' },
  'GET /api/v1/monitors/:id/sources': { expected: fullOwner(200), thing: 'monitor' },
  'GET /api/v1/monitors/:id/tls-reports': { expected: fullOwner(200), thing: 'monitor' },
  'GET /api/v1/monitors/:id/tls-failures': { expected: fullOwner(200), thing: 'monitor' },
  'GET /api/v1/suppressions': { expected: fullAccount(200), lists: true },
  'POST /api/v1/suppressions': {
    expected: fullAccount(201),
    body: { email: 'jane@example.com', emails: ['john@example.com'], sha256: ['b'.repeat(64)], reason: 'asked' },
  },
  'GET /api/v1/suppressions/:id': { expected: fullOwner(200), thing: 'suppression' },
  'DELETE /api/v1/suppressions/:id': { expected: fullOwner(204), thing: 'suppression' },
  'GET /api/v1/suppression-settings': { expected: fullAccount(200) },
  'PATCH /api/v1/suppression-settings': { expected: fullAccount(200), body: { report_in_verify: true } },

  'GET /api/v1/export': { expected: fullAccount(200), lists: true },
  'POST /api/v1/erasures': { expected: fullAccount(202), body: { email: 'jane@example.com' } },
  'GET /api/v1/erasures': { expected: fullAccount(200) },
  'GET /api/v1/erasures/:id': { expected: fullOwner(200), thing: 'erasure' },

  'POST /api/v1/webhooks': {
    expected: fullAccount(201),
    body: { url: 'https://hooks.example.com/', events: ['batch.completed'] },
  },
  'GET /api/v1/webhooks': { expected: fullAccount(200), lists: true },
  'GET /api/v1/webhooks/:id': { expected: fullOwner(200), thing: 'webhook' },
  'PATCH /api/v1/webhooks/:id': {
    expected: fullOwner(200),
    thing: 'webhook',
    body: { url: 'https://changed.example.com/', events: ['batch.failed'] },
  },
  'DELETE /api/v1/webhooks/:id': { expected: fullOwner(204), thing: 'webhook' },
  'POST /api/v1/webhooks/:id/rotate-secret': { expected: fullOwner(200), thing: 'webhook' },
  'POST /api/v1/webhooks/:id/test': { expected: fullOwner(202), thing: 'webhook' },
  'POST /api/v1/webhooks/:id/samples/:event': { expected: fullOwner(202), thing: 'webhook' },
  'GET /api/v1/webhooks/:id/deliveries': { expected: fullOwner(200), thing: 'webhook' },
  'POST /api/v1/webhooks/:id/redeliver': {
    expected: fullOwner(202),
    thing: 'webhook',
    body: { since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' },
  },
  'GET /api/v1/webhooks/deliveries/:id': { expected: fullOwner(200), thing: 'delivery' },
  'POST /api/v1/webhooks/deliveries/:id/redeliver': { expected: fullOwner(202), thing: 'delivery' },

  // Without its `q`.
  'GET /admin/v1/search': { expected: administrator(422) },
  'GET /admin/v1/accounts': { expected: administrator(200) },
  'POST /admin/v1/accounts': {
    expected: administrator(201),
    body: { name: 'Example Ltd', plan: 'free', contact_email: 'jane@example.com', note: 'VIP', region: null },
  },
  'GET /admin/v1/accounts/:id': { expected: administrator(200), thing: 'account' },
  'PATCH /admin/v1/accounts/:id': {
    expected: administrator(200),
    thing: 'account',
    body: { plan: 'pro', contact_email: 'jane@example.com', note: 'VIP', region: null },
  },
  'POST /admin/v1/accounts/:id/suspend': { expected: administrator(200), thing: 'account', body: REASON },
  'POST /admin/v1/accounts/:id/resume': { expected: administrator(200), thing: 'account' },
  'POST /admin/v1/accounts/:id/credits/grant': {
    expected: administrator(200),
    thing: 'account',
    body: { amount: 1, ...REASON },
  },
  'POST /admin/v1/accounts/:id/credits/adjust': {
    expected: administrator(200),
    thing: 'account',
    body: { amount: 1, ...REASON },
  },
  'GET /admin/v1/accounts/:id/ledger': { expected: administrator(200), thing: 'account' },
  'GET /admin/v1/accounts/:id/audit': { expected: administrator(200), thing: 'account' },
  'GET /admin/v1/accounts/:id/keys': { expected: administrator(200), thing: 'account' },
  'POST /admin/v1/accounts/:id/keys': {
    expected: administrator(201),
    thing: 'account',
    body: { kind: 'live', name: 'Shop', expires_at: '2999-01-01T00:00:00Z', ...LIMITS, ...CEILINGS },
  },
  'GET /admin/v1/agents': { expected: administrator(200) },
  'POST /admin/v1/agents/revoke': { expected: administrator(200), body: { address: '192.0.2.1' } },
  'GET /admin/v1/pool': { expected: administrator(200) },
  'PATCH /admin/v1/pool': { expected: administrator(200), body: { capacity: 10_000 } },
  'GET /admin/v1/audit': { expected: administrator(200) },
  'GET /admin/v1/keys': { expected: administrator(200) },
  'POST /admin/v1/keys': {
    expected: administrator(201),
    body: { name: 'alice', expires_at: '2999-01-01T00:00:00Z', permissions: ['read'], networks: ['192.0.2.0/24'] },
  },
  'PATCH /admin/v1/keys/:id': {
    expected: administrator(200),
    thing: 'key',
    body: { name: 'Shop', ...LIMITS, ...CEILINGS },
  },
  'GET /admin/v1/keys/:id': { expected: administrator(200), thing: 'key' },
  'POST /admin/v1/keys/lookup': {
    expected: administrator(404),
    body: { token: 'ms_live_000000000000000000000000000000002E5vyG' },
  },
  'POST /admin/v1/keys/:id/rotate': { expected: administrator(201), thing: 'key', body: { grace_seconds: 60 } },
  'DELETE /admin/v1/keys/:id': { expected: administrator(204), thing: 'key' },
  'GET /admin/v1/suppressions': { expected: administrator(200) },
  'POST /admin/v1/suppressions': {
    expected: administrator(201),
    body: { email: 'jane@example.com', emails: ['john@example.com'], sha256: ['c'.repeat(64)], reason: 'asked' },
  },
  // Of everybody's list, on which the accounts' own suppressions are not.
  'DELETE /admin/v1/suppressions/:id': { expected: administrator(404), thing: 'suppression' },
  'GET /admin/v1/monitors': { expected: administrator(200) },
  'POST /admin/v1/monitors/:id/pause': { expected: administrator(200), thing: 'monitor', body: REASON },
  // Its owner has switched it off, and no administrator.
  'POST /admin/v1/monitors/:id/resume': { expected: administrator(409), thing: 'monitor' },
  'GET /admin/v1/egress': { expected: administrator(200) },
  'POST /admin/v1/egress/:id/drain': { expected: administrator(200), thing: 'source', body: REASON },
  'POST /admin/v1/egress/:id/pause': { expected: administrator(200), thing: 'source', body: REASON },
  'POST /admin/v1/egress/:id/resume': { expected: administrator(200), thing: 'source' },
  'POST /admin/v1/egress/:id/test': { expected: administrator(200), thing: 'source' },
  'GET /admin/v1/blacklists': { expected: administrator(200) },
  'POST /admin/v1/blacklists/:id/test': { expected: administrator(200), thing: 'blockList' },
  'POST /admin/v1/blacklists/:id/turn-off': { expected: administrator(200), thing: 'blockList', body: REASON },
  'POST /admin/v1/blacklists/:id/turn-on': { expected: administrator(200), thing: 'blockList' },
  'GET /admin/v1/opt-outs': { expected: administrator(200) },
  'POST /admin/v1/opt-outs': {
    expected: administrator(201),
    body: { kind: 'domain', name: 'left-alone.example.com', reason: 'asked to', until: IN_A_MONTH },
  },
  'POST /admin/v1/opt-outs/:id/remove': { expected: administrator(200), thing: 'optOut', body: REASON },
  'GET /admin/v1/placement/seeds': { expected: administrator(200) },
  'POST /admin/v1/placement/seeds': {
    expected: administrator(201),
    body: {
      provider: 'gmail',
      address: 'seed@example.com',
      host: 'imap.example.com',
      port: 993,
      security: 'tls',
      login: 'seed',
      authserv_id: 'mx.example.com',
      password: 'secret',
      refresh_token: null,
      token_url: null,
      client_id: null,
      client_secret: null,
    },
  },
  'POST /admin/v1/placement/seeds/:id/test': { expected: administrator(200), thing: 'seed' },
  'POST /admin/v1/placement/seeds/:id/rotate': {
    expected: administrator(200),
    thing: 'seed',
    body: {
      password: null,
      refresh_token: 'another secret',
      token_url: 'https://accounts.example.com/token',
      client_id: 'seeds',
      client_secret: 'secret',
    },
  },
  'POST /admin/v1/placement/seeds/:id/off': { expected: administrator(200), thing: 'seed', body: REASON },
  'POST /admin/v1/placement/seeds/:id/on': { expected: administrator(200), thing: 'seed' },
  'GET /admin/v1/operators': { expected: administrator(200) },
  'POST /admin/v1/operators/:id/pause': {
    expected: administrator(200),
    thing: 'operator',
    body: { ...REASON, until: '2999-01-01T00:00:00Z' },
  },
  'POST /admin/v1/operators/:id/resume': { expected: administrator(200), thing: 'operator' },
  'GET /admin/v1/workers': { expected: administrator(200) },
  'GET /admin/v1/lists': { expected: administrator(200) },
  'GET /admin/v1/batches': { expected: administrator(200) },
  'GET /admin/v1/batches/:id': { expected: administrator(200), thing: 'batch' },
  // Only a failed batch is begun again.
  'POST /admin/v1/batches/:id/retry': { expected: administrator(409), thing: 'batch' },
  'GET /admin/v1/erasures': { expected: administrator(200) },
  'GET /admin/v1/deliveries': { expected: administrator(200) },
  'POST /admin/v1/deliveries/:id/retry': { expected: administrator(200), thing: 'delivery' },
};
