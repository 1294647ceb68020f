import { ApiProperty } from '@nestjs/swagger';
import { CreditEntryReply, creditEntryReply } from '../../credits/balance/credit-history.reply.js';
import { KeyReply, keyReply } from '../../keys/key.reply.js';
import { endpointReply, WebhookReply } from '../../webhooks/endpoints/webhook.reply.js';
import type { AccountPage } from '../accounts/account-page.service.js';
import { AccountOverviewReply, accountOverviewReply } from './account.reply.js';
import { AgentReply, agentReply } from './agent.reply.js';
import { AdminAuditEntryReply, adminAuditEntryReply } from './audit-entry.reply.js';
import { WorkBatchReply, workBatchReply } from './work.reply.js';

const NEWEST = 'The newest 20.';

export class AccountDetailsReply extends AccountOverviewReply {
  @ApiProperty({
    type: AgentReply,
    nullable: true,
    description: 'What an agent told of itself; null for a full account.',
  })
  readonly agent: AgentReply | null;

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
    keys: page.keys.map((key) => keyReply(key, now)),
    batches: page.batches.map(workBatchReply),
    webhooks: page.endpoints.map(endpointReply),
    ledger: page.ledger.map(creditEntryReply),
    audit: page.audit.map(adminAuditEntryReply),
  };
}
