import type { AuditReport } from '../../credits/credits-audit.js';
import type { Balance } from '../../credits/balance-credits.service.js';
import type { Account } from '../../keys/accounts/accounts.service.js';
import { PLANS } from '../../platform/config/policies.js';
import { PageOf } from '../../platform/http/page.js';
import { Extended, field, Reply, replyOf } from '../../platform/http/reply.js';
import { snakeRow } from '../../lib/snake-case.js';
import type { AccountOverview } from '../account-administration.service.js';

export class AccountReply extends Reply({
  id: field.uuid(),
  kind: field.oneOf(['full', 'agent']),
  name: field.textOrNull(),
  plan: field.oneOf([...PLANS, 'agent']),
  status: field.oneOf(['active', 'suspended']),
  created_at: field.time(),
  suspended_at: field.timeOrNull(),
  contact_email: field.textOrNull('Whom to write to.'),
  note: field.textOrNull('Of administrators, for administrators.'),
  region: field.textOrNull({
    description: 'Whose workers alone work on its batches; null: any worker does.',
    example: 'eu',
  }),
}) {}

export class AccountCreditsBody extends Reply({
  remaining: field.integer(),
  reserved: field.integer('Held for work that still runs.'),
  used_total: field.integer(),
  free_granted: field.integer(),
}) {}

export class AccountOverviewReply extends Extended(AccountReply, {
  credits: field.oneOrNull(AccountCreditsBody, "Null for an agent's account, which has daily credits."),
}) {}

export class AccountPageReply extends PageOf(AccountReply, 'accounts') {}

export function accountReply(account: Account) {
  const { policy: plan, suspendedAt } = account;
  const status = suspendedAt === null ? ('active' as const) : ('suspended' as const);
  return replyOf(AccountReply, Object.assign({ plan, status }, account));
}

export function accountOverviewReply({ account, balance }: AccountOverview) {
  return { ...accountReply(account), credits: balance && balanceReply(balance) };
}

function balanceReply({ available, reserved, usedTotal, freeGranted }: Balance): AccountCreditsBody {
  return { remaining: available, reserved, used_total: usedTotal, free_granted: freeGranted };
}

/** What `npm run admin -- credits audit --json` prints. */
export type CreditsAuditReply = ReturnType<typeof creditsAuditReply>;

export function creditsAuditReply({ accounts, differing, differingCeilings }: AuditReport) {
  return {
    accounts,
    differing: differing.map(snakeRow),
    differing_ceilings: differingCeilings.map(snakeRow),
  };
}
