import { CreditEntryReply, creditEntryReply } from '../../credits/credit-history.reply.js';
import { UsageReply, usageReply } from '../../credits/usage/usage.reply.js';
import { KeyReply, keyReply } from '../../keys/key.reply.js';
import { endpointReply, WebhookReply } from '../../webhooks/webhook.reply.js';
import type { AccountPage } from '../account-page.service.js';
import { AccountOverviewReply, accountOverviewReply } from './account.reply.js';
import { AgentReply, agentReply } from './agent.reply.js';
import { AdminAuditEntryReply, adminAuditEntryReply } from './audit-entry.reply.js';
import { WorkBatchReply, workBatchReply } from './work.reply.js';
import { Extended, field, Reply, replyOf } from '../../platform/http/reply.js';

const NEWEST = 'The newest 20.';

export class AgentCreditsBody extends Reply({
  daily_free_credits: field.count(),
  used_today: field.count(),
  reserved: field.count(),
  remaining: field.count(),
  resets_at: field.time(),
}) {}

export class AccountDetailsReply extends Extended(AccountOverviewReply, {
  agent: field.oneOrNull(AgentReply, 'What an agent told of itself; null for a full account.'),
  agent_credits: field.oneOrNull(AgentCreditsBody, 'Of an agent, today; null for a full account.'),
  usage: field.one(UsageReply, 'Of live keys, on each of the last 30 days, with what was refused.'),
  keys: field.listOf(KeyReply, NEWEST),
  batches: field.listOf(WorkBatchReply, NEWEST),
  webhooks: field.listOf(WebhookReply, `${NEWEST} Of both modes, with how they do.`),
  ledger: field.listOf(CreditEntryReply, NEWEST),
  audit: field.listOf(AdminAuditEntryReply, `${NEWEST} Of the account and of administrators.`),
}) {}

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
  return replyOf(AgentCreditsBody, status);
}
