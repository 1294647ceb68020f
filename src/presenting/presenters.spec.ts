import { describe, expect, it } from 'vitest';
import type { Verification } from '../engine/types.js';
import { loadPolicies, policyNamed } from '../platform/config/policies.js';
import { AgentPresenter } from './agent.presenter.js';
import { FullPresenter } from './full.presenter.js';
import { Presenters } from './presenters.js';

const { keyPolicies, reasonTexts } = loadPolicies({ retentionDays: 30 });
const presenters = new Presenters(new AgentPresenter(), new FullPresenter(reasonTexts));

const CALLER = { keyId: 'k', accountId: 'a', kind: 'live', simulated: false } as const;
const agents = presenters.for({ ...CALLER, policy: keyPolicies.agent });
const full = presenters.for({ ...CALLER, policy: policyNamed(keyPolicies, 'pro') });

const GREYLISTED: Verification = {
  email: 'Someone@Example.com',
  normalizedEmail: 'Someone@example.com',
  verdict: 'unknown',
  reason: 'greylisted',
  score: 45,
  confidence: 0.3,
  checks: {
    syntax: 'pass',
    mx: 'pass',
    smtp: 'unknown',
    catchAll: 'undetermined',
    disposable: false,
    role: true,
    free: false,
    spamTrap: false,
    privacyRelay: false,
  },
  didYouMean: null,
  provider: 'Example Mail',
  mxHost: 'mx.example.com',
  retryAfterSeconds: 300,
  evidence: {
    stage: 'rcpt',
    mxHost: 'mx.example.com',
    mxAddress: '192.0.2.25',
    code: 450,
    enhanced: '4.7.1',
    text: 'Greylisted, try again',
    at: Date.parse('2026-11-21T10:00:00.000Z'),
    fromCache: false,
    witness: null,
    source: null,
  },
  checkedAt: Date.parse('2026-11-21T10:00:01.000Z'),
};
const RESULT = { verification: GREYLISTED, creditsCharged: 0, latencyMs: 812 };

const ordered = (body: object) => JSON.stringify(body, null, 1);

describe('a verification', () => {
  it('a verification for an agent has the nine members of docs/verification.md inside data, in their order', () => {
    expect(ordered(agents.verification(RESULT, 'r-1'))).toBe(
      ordered({
        success: true,
        data: {
          email: 'Someone@Example.com',
          result: 'unknown',
          reason: 'greylisted',
          score: 45,
          disposable: false,
          role: true,
          free: false,
          accept_all: false,
          did_you_mean: null,
        },
      }),
    );
  });

  it('a verification for a full account is flat, with the members of docs/verification.md in their order', () => {
    expect(ordered(full.verification(RESULT, 'r-1'))).toBe(
      ordered({
        email: 'Someone@Example.com',
        verdict: 'unknown',
        confidence: 0.3,
        checks: {
          syntax: 'pass',
          mx: 'pass',
          smtp: 'unknown',
          catch_all: false,
          disposable: false,
          role: true,
          spam_trap: false,
          free: false,
        },
        credits_charged: 0,
        latency_ms: 812,
        reason: 'greylisted',
        did_you_mean: null,
        provider: 'Example Mail',
        mx_host: 'mx.example.com',
        normalized_email: 'Someone@example.com',
        action: 'retry_later',
        retry_after: 300,
        evidence: {
          stage: 'rcpt',
          mx_host: 'mx.example.com',
          mx_address: '192.0.2.25',
          reply_code: 450,
          enhanced_code: '4.7.1',
          text: 'Greylisted, try again',
          from_cache: false,
          witness: null,
          source: null,
        },
        checked_at: '2026-11-21T10:00:01.000Z',
        request_id: 'r-1',
      }),
    );
  });

  it.each([
    ['yes', true],
    ['no', false],
    ['undetermined', false],
    [null, false],
  ] as const)('a verification of a domain that is catch-all "%s" says %s in both shapes', (catchAll, told) => {
    const verification = { ...GREYLISTED, checks: { ...GREYLISTED.checks, catchAll } };
    expect(agents.verification({ ...RESULT, verification }, '')).toMatchObject({ data: { accept_all: told } });
    expect(full.verification({ ...RESULT, verification }, '')).toMatchObject({ checks: { catch_all: told } });
  });
});

it('equal credits are presented inside data or flat', () => {
  const status = {
    source: 'daily' as const,
    dailyFreeCredits: 25,
    usedToday: 3,
    reserved: 2,
    remaining: 20,
    paidRemaining: null,
    resetsAt: new Date('2026-11-22T00:00:00.000Z'),
    sharedCapacityAvailable: true,
  };
  const body = {
    daily_free_credits: 25,
    used_today: 3,
    reserved: 2,
    remaining: 20,
    resets_at: '2026-11-22T00:00:00.000Z',
    shared_capacity_available: true,
  };
  expect(agents.credits(status, '')).toEqual({ success: true, data: body });
  expect(full.credits(status, '')).toEqual(body);
});

it('a balance is presented flat', () => {
  const status = { plan: 'pro', remaining: 90, reserved: 4, usedTotal: 106, freeGranted: 0, low: true };
  expect(ordered(full.credits({ source: 'balance', ...status }, ''))).toBe(
    ordered({ plan: 'pro', remaining: 90, reserved: 4, used_total: 106, free_granted: 0, low: true }),
  );
});
