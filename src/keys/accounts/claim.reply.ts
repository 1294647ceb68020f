import { ApiProperty } from '@nestjs/swagger';
import { KeyReply, keyReply } from '../key.reply.js';
import type { ClaimedKey } from './claims.service.js';
import { TEXT_OR_NULL } from '../../platform/http/schemas.js';

export class ClaimedKeyReply extends KeyReply {
  @ApiProperty({ format: 'date-time' })
  readonly claimed_at: string;

  @ApiProperty({ format: 'date-time' })
  readonly registered_at: string;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'What the agent said that it verifies addresses for.' })
  readonly purpose: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'How the agent said that its operator is reached.' })
  readonly contact: string | null;
}

export function claimedKeyReply({ key, agent, claimedAt }: ClaimedKey, now: number): ClaimedKeyReply {
  return {
    ...keyReply(key, now),
    claimed_at: claimedAt.toISOString(),
    registered_at: agent.registeredAt.toISOString(),
    purpose: agent.purpose,
    contact: agent.contact,
  };
}
