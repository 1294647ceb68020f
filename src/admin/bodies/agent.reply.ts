import { ApiProperty } from '@nestjs/swagger';
import type { AgentPool } from '../../credits/agent-pool.service.js';
import type { AgentKey } from '../../keys/accounts/agents.service.js';
import { KEY_STATUSES, keyStatus } from '../../keys/key.reply.js';
import { PageOf } from '../../platform/http/page.js';
import { TIME_OR_NULL, TEXT_OR_NULL } from '../../platform/http/schemas.js';

export class AgentReply {
  @ApiProperty({ format: 'uuid' })
  readonly key_id: string;

  @ApiProperty({ format: 'uuid' })
  readonly account_id: string;

  @ApiProperty(TEXT_OR_NULL)
  readonly name: string | null;

  @ApiProperty(TEXT_OR_NULL)
  readonly purpose: string | null;

  @ApiProperty(TEXT_OR_NULL)
  readonly contact: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'Where it registered from.' })
  readonly client_address: string | null;

  @ApiProperty()
  readonly last_four: string;

  @ApiProperty({ enum: KEY_STATUSES })
  readonly status: string;

  @ApiProperty({ format: 'date-time' })
  readonly registered_at: string;

  @ApiProperty(TIME_OR_NULL)
  readonly expires_at: string | null;

  @ApiProperty(TIME_OR_NULL)
  readonly last_used_at: string | null;

  @ApiProperty(TIME_OR_NULL)
  readonly revoked_at: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, format: 'uuid', description: 'The full account that has claimed it.' })
  readonly claimed_by: string | null;

  @ApiProperty(TIME_OR_NULL)
  readonly claimed_at: string | null;
}

export class AgentPageReply extends PageOf(AgentReply, 'agents') {}

export class RevokedAgentsReply {
  @ApiProperty()
  readonly address: string;

  @ApiProperty({ type: 'integer', description: 'How many keys this has revoked.' })
  readonly revoked: number;
}

export class PoolReply {
  @ApiProperty({ format: 'date', description: 'The UTC day.' })
  readonly date: string;

  @ApiProperty({ type: 'integer' })
  readonly capacity: number;

  @ApiProperty({ type: 'integer', description: 'What holds on days that nobody has changed.' })
  readonly configured_capacity: number;

  @ApiProperty({ type: 'integer' })
  readonly used: number;

  @ApiProperty({ type: 'integer' })
  readonly remaining: number;

  @ApiProperty({ format: 'date-time' })
  readonly resets_at: string;
}

export function agentReply(agent: AgentKey, now: number): AgentReply {
  return {
    key_id: agent.keyId,
    account_id: agent.accountId,
    name: agent.name,
    purpose: agent.purpose,
    contact: agent.contact,
    client_address: agent.clientAddress,
    last_four: agent.lastFour,
    status: keyStatus(agent, now),
    registered_at: agent.registeredAt.toISOString(),
    expires_at: agent.expiresAt?.toISOString() ?? null,
    last_used_at: agent.lastUsedAt?.toISOString() ?? null,
    revoked_at: agent.revokedAt?.toISOString() ?? null,
    claimed_by: agent.claimedBy,
    claimed_at: agent.claimedAt?.toISOString() ?? null,
  };
}

export function poolReply(pool: AgentPool): PoolReply {
  return {
    date: pool.date,
    capacity: pool.capacity,
    configured_capacity: pool.configuredCapacity,
    used: pool.used,
    remaining: pool.remaining,
    resets_at: pool.resetsAt.toISOString(),
  };
}
