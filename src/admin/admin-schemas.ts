import { ApiProperty } from '@nestjs/swagger';
import { PLANS } from '../keys/plan.js';

/* What administrators are answered, for the documents. */

const TEXT_OR_NULL = { type: String, nullable: true } as const;
const TIME_OR_NULL = { type: String, format: 'date-time', nullable: true } as const;
const ID_OR_NULL = { type: String, format: 'uuid', nullable: true } as const;

export const NEXT_CURSOR = {
  type: String,
  nullable: true,
  description: 'For the next page as `cursor`; null on the last one.',
} as const;

export class AccountReply {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ enum: ['full', 'agent'] })
  readonly kind: string;

  @ApiProperty(TEXT_OR_NULL)
  readonly name: string | null;

  @ApiProperty({ enum: [...PLANS, 'agent'] })
  readonly plan: string;

  @ApiProperty({ enum: ['active', 'suspended'] })
  readonly status: string;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;

  @ApiProperty(TIME_OR_NULL)
  readonly suspended_at: string | null;
}

export class AccountCreditsBody {
  @ApiProperty({ type: 'integer' })
  readonly remaining: number;

  @ApiProperty({ type: 'integer', description: 'Held for work that still runs.' })
  readonly reserved: number;

  @ApiProperty({ type: 'integer' })
  readonly used_total: number;

  @ApiProperty({ type: 'integer' })
  readonly free_granted: number;
}

export class AccountStandingReply extends AccountReply {
  @ApiProperty({
    type: AccountCreditsBody,
    nullable: true,
    description: "Null for an agent's account, which has daily credits.",
  })
  readonly credits: AccountCreditsBody | null;
}

export class AccountPageReply {
  @ApiProperty({ type: [AccountReply] })
  readonly accounts: readonly AccountReply[];

  @ApiProperty(NEXT_CURSOR)
  readonly next_cursor: string | null;
}

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

  @ApiProperty({ enum: ['active', 'grace', 'expired', 'revoked'] })
  readonly status: string;

  @ApiProperty({ format: 'date-time' })
  readonly registered_at: string;

  @ApiProperty(TIME_OR_NULL)
  readonly expires_at: string | null;

  @ApiProperty(TIME_OR_NULL)
  readonly last_used_at: string | null;

  @ApiProperty(TIME_OR_NULL)
  readonly revoked_at: string | null;
}

export class AgentPageReply {
  @ApiProperty({ type: [AgentReply] })
  readonly agents: readonly AgentReply[];

  @ApiProperty(NEXT_CURSOR)
  readonly next_cursor: string | null;
}

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

export class AdminAuditActorBody {
  @ApiProperty({ ...ID_OR_NULL, description: 'The key that acted; null on the command line.' })
  readonly key_id: string | null;

  @ApiProperty()
  readonly name: string;
}

export class AdminAuditEntryReply {
  @ApiProperty({ type: 'integer', format: 'int64' })
  readonly id: number;

  @ApiProperty({ format: 'date-time' })
  readonly at: string;

  @ApiProperty({ type: AdminAuditActorBody })
  readonly actor: AdminAuditActorBody;

  @ApiProperty({ description: "The client's address, or the machine of the command line." })
  readonly from: string;

  @ApiProperty({ example: 'account.suspend' })
  readonly act: string;

  @ApiProperty(ID_OR_NULL)
  readonly account_id: string | null;

  @ApiProperty({
    enum: ['live', 'test'],
    nullable: true,
    description: "Of the account's key that acted; null when an administrator did.",
  })
  readonly mode: 'live' | 'test' | null;

  @ApiProperty(ID_OR_NULL)
  readonly key_id: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true })
  readonly details: Readonly<Record<string, unknown>>;
}

export class AdminAuditPageReply {
  @ApiProperty({ type: [AdminAuditEntryReply] })
  readonly entries: readonly AdminAuditEntryReply[];

  @ApiProperty(NEXT_CURSOR)
  readonly next_cursor: string | null;
}
