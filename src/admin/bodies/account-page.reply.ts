import { ApiProperty } from '@nestjs/swagger';
import { CreditEntryReply, creditEntryReply } from '../../credits/credit-history.reply.js';
import { UsageReply, usageReply } from '../../credits/usage/usage.reply.js';
import { KeyReply, keyReply } from '../../keys/key.reply.js';
import { endpointReply, WebhookReply } from '../../webhooks/webhook.reply.js';
import type { AccountPage } from '../account-page.service.js';
import { AccountOverviewReply, accountOverviewReply } from './account.reply.js';
import { AgentReply, agentReply } from './agent.reply.js';
import { AdminAuditEntryReply, adminAuditEntryReply } from './audit-entry.reply.js';
import { WorkBatchReply, workBatchReply } from './work.reply.js';
import { COUNT } from '../../platform/http/schemas.js';

const NEWEST = 'The newest 20.';

export class AgentCreditsBody {
  @ApiProperty(COUNT)
  readonly daily_free_credits: number;

  @ApiProperty(COUNT)
  readonly used_today: number;

  @ApiProperty(COUNT)
  readonly reserved: number;

  @ApiProperty(COUNT)
  readonly remaining: number;

  @ApiProperty({ format: 'date-time' })
  readonly resets_at: string;
}

export class AccountDetailsReply extends AccountOverviewReply {
  @ApiProperty({
    type: AgentReply,
    nullable: true,
    description: 'What an agent told of itself; null for a full account.',
  })
  readonly agent: AgentReply | null;

  @ApiProperty({ type: AgentCreditsBody, nullable: true, description: 'Of an agent, today; null for a full account.' })
  readonly agent_credits: AgentCreditsBody | null;

  @ApiProperty({ type: UsageReply, description: 'Of live keys, on each of the last 30 days, with what was refused.' })
  readonly usage: UsageReply;

  @ApiProperty({ type: [KeyReply], description: NEWEST })
  readonly keys: readonly KeyReply[];

  @ApiProperty({ type: [WorkBatchReply], description: NEWEST })
  readonly batches: readonly WorkBatchReply[];

  @ApiProperty({ type: [WebhookReply], description: `${NEWEST} Of both modes, with how they do.` })
  readonly webhooks: readonly WebhookReply[];

  @ApiProperty({ type: [CreditEntryReply], description: NEWEST })
  readonly ledger: readonly CreditEntryReply[];

  @ApiProperty({ type: [AdminAuditEntryReply], description: `${NEWEST} Of the account and of administrators.` })
  readonly audit: readonly AdminAuditEntryReply[];
}

export function accountDetailsReply(page: AccountPage, now: number): AccountDetailsReply {
  return {
    ...accountOverviewReply(page),
    agent: page.agent && agentReply(page.agent, now),
    agent_credits: agentCreditsBody(page.agentCredits),
    usage: usageReply(page.usage),
    keys: page.keys.map((key) => keyReply(key, now)),
    batches: page.batches.map(workBatchReply),
    webhooks: page.endpoints.map(endpointReply),
    ledger: page.ledger.map(creditEntryReply),
    audit: page.audit.map(adminAuditEntryReply),
  };
}

function agentCreditsBody(status: AccountPage['agentCredits']): AgentCreditsBody | null {
  if (status?.source !== 'daily') return null;
  return {
    daily_free_credits: status.dailyFreeCredits,
    used_today: status.usedToday,
    reserved: status.reserved,
    remaining: status.remaining,
    resets_at: status.resetsAt.toISOString(),
  };
}
