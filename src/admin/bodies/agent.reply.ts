import type { AgentPool } from '../../credits/agent-pool.service.js';
import type { AgentKey } from '../../keys/accounts/agents.service.js';
import { KEY_STATUSES, keyStatus } from '../../keys/key.reply.js';
import { PageOf } from '../../platform/http/page.js';
import { field, Reply, replyOf } from '../../platform/http/reply.js';

export class AgentReply extends Reply({
  key_id: field.uuid(),
  account_id: field.uuid(),
  name: field.textOrNull(),
  purpose: field.textOrNull(),
  contact: field.textOrNull(),
  client_address: field.textOrNull('Where it registered from.'),
  last_four: field.text(),
  status: field.oneOf(KEY_STATUSES),
  registered_at: field.time(),
  expires_at: field.timeOrNull(),
  last_used_at: field.timeOrNull(),
  revoked_at: field.timeOrNull(),
  claimed_by: field.uuidOrNull('The full account that has claimed it.'),
  claimed_at: field.timeOrNull(),
}) {}

export class AgentPageReply extends PageOf(AgentReply, 'agents') {}

export class RevokedAgentsReply extends Reply({
  address: field.text(),
  revoked: field.integer('How many keys this has revoked.'),
}) {}

export class PoolReply extends Reply({
  date: field.day('The UTC day.'),
  capacity: field.integer(),
  configured_capacity: field.integer('What holds on days that nobody has changed.'),
  used: field.integer(),
  remaining: field.integer(),
  resets_at: field.time(),
}) {}

export function agentReply(agent: AgentKey, now: number): AgentReply {
  return replyOf(AgentReply, { ...agent, status: keyStatus(agent, now) });
}

export function poolReply(pool: AgentPool): PoolReply {
  return replyOf(PoolReply, pool);
}
