import type { Operation } from './operations.js';

const PERSON = { full_name: 'Jane Doe', domain: 'example.com' };
const REASON = 'As agreed by phone';

/* Pages such as Swagger UI's "Try it out" send an example as it is: none names a member whose value the service knows better. */
const REQUESTS: Readonly<Record<string, object>> = {
  register: { name: 'Scout' },
  tryEmail: { email: 'jane+full@example.com' },
  verifyEmail: { email: 'jane@example.com' },
  estimate: { emails: ['jane@example.com', 'jane@EXAMPLE.com'] },
  startBatch: { max_credits: 1000 },
  startPeopleBatch: { max_credits: 1000 },
  submitBatch: { emails: ['jane@example.com', 'john@example.com'], name: 'Guests' },
  findEmail: PERSON,
  submitPeople: { people: [PERSON], name: 'Guests' },
  scheduleList: { every_days: 7 },
  renameList: { name: 'Wedding' },
  checkBlacklists: { targets: ['example.com'] },
  checkDomain: { domain: 'example.com', dkim_selectors: ['s1'] },
  createMonitor: { kind: 'domain', target: 'example.com', dkim_selectors: ['s1'] },
  changeMonitor: { alert_from: 'critical' },
  muteMonitorList: { muted_until: '2027-01-31T12:00:00Z', note: 'We have asked to be removed' },
  changeMonitorFinding: { muted_until: '2027-01-31T12:00:00Z', note: 'We move on Sunday' },
  createPlacementTest: { name: 'March campaign' },
  suppress: { email: 'jane@example.com', reason: 'Asked by letter' },
  eraseAddress: { email: 'jane@example.com', suppress: true },
  changeVerificationSettings: { reuse: false },
  changeBatchSettings: { retention_days: 7 },
  keepBatch: { retention_days: 7 },
  keepPeopleBatch: { retention_days: 7 },
  changeSuppressionSettings: { report_in_verify: true },
  createKey: { kind: 'test', name: 'Shop' },
  changeKey: { permissions: ['verify'], networks: ['192.0.2.0/24'] },
  claimAgent: { claim_token: 'ms_claim_…' },
  rotateKey: { grace_seconds: 3600 },
  createWebhook: { url: 'https://example.com/mailsonde', events: ['batch.completed'] },
  changeWebhook: { enabled: false },
  redeliverRange: { since: '2027-01-31T12:00:00Z' },
  createAccount: { name: 'Example Ltd', plan: 'pro' },
  changeAccount: { plan: 'scale', contact_email: 'billing@example.com' },
  suspendAccount: { reason: REASON },
  grantCredits: { amount: 1000, reason: REASON },
  adjustCredits: { amount: -20, reason: REASON },
  createAccountKey: { kind: 'live', name: 'Shop' },
  createAdminKey: { name: 'alice' },
  drainSource: { reason: REASON },
  pauseSource: { reason: REASON },
  pauseMonitor: { reason: REASON },
  turnBlacklistOff: { reason: REASON },
  addOptOut: { kind: 'domain', name: 'example.com', reason: REASON },
  removeOptOut: { reason: REASON },
  addSeed: { provider: 'gmail', address: 'seed@example.com', password: 'an app password' },
  rotateSeed: { password: 'another app password' },
  turnSeedOff: { reason: REASON },
  lookUpKey: { token: 'ms_live_000000000000000000000000000000002E5vyG' },
  changeAnyKey: { networks: ['192.0.2.0/24'] },
  rotateAnyKey: { grace_seconds: 3600 },
  revokeAgents: { address: '192.0.2.0/24' },
  pauseOperator: { reason: 'They asked us to stop until Monday', until: '2027-01-31T12:00:00Z' },
  changePool: { capacity: 10_000 },
  suppressForAll: { email: 'jane@example.com', reason: 'Asked by letter' },
};

/** Adds its example to an operation's JSON body. */
export function showRequest(operation: Operation): void {
  const { content } = (operation.requestBody ?? {}) as { content?: Record<string, { example?: object }> };
  const json = content?.['application/json'];
  const example = REQUESTS[operation.operationId ?? ''];
  if (json !== undefined && example !== undefined) json.example = example;
}
