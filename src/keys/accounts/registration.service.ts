import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DAY_MS, HOUR_MS } from '../../lib/durations.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { KEY_POLICIES, type KeyPolicies, type KeyPolicy } from '../../platform/config/policies.js';
import { AppError } from '../../platform/errors/app-error.js';
import { counter } from '../../platform/metrics/metrics.js';
import { type Limit, Limiter } from '../../platform/redis/limits.js';
import { clientNetwork, storableAddress } from '../scope/networks.js';
import { generateToken, hashToken } from '../access/token.js';

const CLAIM_TOKEN_LIFE_DAYS = 30;

/** The particulars that an agent may give of itself: at most 80, 500 and 255 characters, checked at the edge. */
export interface AgentDetails {
  readonly name?: string | null;
  readonly purpose?: string | null;
  readonly contact?: string | null;
}

export type AgentPolicy = KeyPolicy & { readonly dailyFreeCredits: number; readonly keyLifeDays: number };

export interface AgentRegistration {
  /** The token, which is stored nowhere: only the caller who registered has it. */
  readonly token: string;
  /** Stored nowhere either: who has it takes the key under their account. */
  readonly claimToken: string;
  readonly expiresAt: Date;
  readonly policy: AgentPolicy;
}

const registrations = counter(
  'mailsonde_registrations_total',
  'Agents that asked for a key, by whether they got one (registered) or came too often (limited).',
  ['outcome'],
);

/** An account of kind `agent`, the particulars of its registration, and its key. The address is null when a proxy forwarded none. */
const INSERT_AGENT = `
  WITH account AS (
    INSERT INTO accounts (kind, policy, name, created_at) VALUES ('agent', 'agent', $1, $2) RETURNING id
  ), registration AS (
    INSERT INTO agent_registrations (account_id, purpose, contact, client_address, registered_at, claim_token_hash,
                                     claim_expires_at)
    SELECT id, $3, $4, $5::inet, $2, $9::bytea, $10::timestamptz FROM account
  )
  INSERT INTO api_keys (account_id, kind, token_hash, last_four, name, created_at, expires_at)
  SELECT id, 'agent', $6::bytea, $7, $1, $2, $8::timestamptz FROM account`;

/** Gives a key to every agent that asks, within limits (docs/authentication.md#an-agent-registers-post-agent-gatewayregister). */
@Injectable()
export class RegistrationService {
  private readonly policy: AgentPolicy;

  constructor(
    private readonly database: DataSource,
    private readonly limiter: Limiter,
    @Inject(KEY_POLICIES) policies: KeyPolicies,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(ENV) private readonly env: Env,
  ) {
    this.policy = toAgentPolicy(policies.agent);
  }

  /**
   * @param clientAddress the caller's IP address, from trusted proxies only
   * @throws AppError `registration_limited`
   */
  async register(details: AgentDetails, clientAddress: string): Promise<AgentRegistration> {
    await this.admit(clientAddress);
    const [token, claimToken] = [generateToken('agent'), generateToken('claim')];
    const createdAt = this.clock.date();
    const expiresAt = new Date(createdAt.getTime() + this.policy.keyLifeDays * DAY_MS);
    await this.database.query(INSERT_AGENT, [
      details.name,
      createdAt,
      details.purpose,
      details.contact,
      storableAddress(clientAddress),
      hashToken(token),
      token.slice(-4),
      expiresAt,
      hashToken(claimToken),
      new Date(createdAt.getTime() + CLAIM_TOKEN_LIFE_DAYS * DAY_MS),
    ]);
    registrations.inc({ outcome: 'registered' });
    return { token, claimToken, expiresAt, policy: this.policy };
  }

  private async admit(clientAddress: string): Promise<void> {
    const { refusedBy, waitMs } = await this.limiter.admit(this.limitsOf(clientNetwork(clientAddress)));
    if (refusedBy === null) return;
    registrations.inc({ outcome: 'limited' });
    throw new AppError('registration_limited', { retryAfterSeconds: waitMs / 1000 });
  }

  private limitsOf(network: string): Limit[] {
    const { registrationsPerHour, registrationsPerDay, registrationsPerHourGlobal } = this.env;
    return [
      { kind: 'window', key: `{register}:hour:${network}`, requests: registrationsPerHour, windowMs: HOUR_MS },
      { kind: 'window', key: `{register}:day:${network}`, requests: registrationsPerDay, windowMs: DAY_MS },
      { kind: 'window', key: '{register}:hour', requests: registrationsPerHourGlobal, windowMs: HOUR_MS },
    ];
  }
}

function toAgentPolicy(policy: KeyPolicy): AgentPolicy {
  const { dailyFreeCredits, keyLifeDays } = policy;
  if (dailyFreeCredits === null || keyLifeDays === null)
    throw new Error('config/key-policies.json agent: dailyFreeCredits and keyLifeDays must be numbers');
  return { ...policy, dailyFreeCredits, keyLifeDays };
}
