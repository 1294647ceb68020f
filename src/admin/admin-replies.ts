import type { AgentPool } from '../credits/agent-pool.service.js';
import type { Balance } from '../credits/credits.service.js';
import type { AuditReport } from '../credits/credits-audit.js';
import type { Account } from '../keys/accounts.service.js';
import type { AgentKey } from '../keys/agents.service.js';
import { keyStatus } from '../keys/key-reply.js';
import type { Page } from '../platform/http/page.js';
import type { AccountStanding } from './account-administration.service.js';
import type { AuditEntry } from './audit.service.js';

/** What administrators are answered, over HTTP and on the command line alike. */
export type Reply = object;

export function accountReply(account: Account): Reply {
  return {
    id: account.id,
    kind: account.kind,
    name: account.name,
    plan: account.policy,
    status: account.suspendedAt === null ? 'active' : 'suspended',
    created_at: account.createdAt.toISOString(),
    suspended_at: account.suspendedAt?.toISOString() ?? null,
  };
}

export function accountStandingReply({ account, balance }: AccountStanding): Reply {
  return { ...accountReply(account), credits: balance && balanceReply(balance) };
}

function balanceReply({ available, reserved, usedTotal, freeGranted }: Balance): Reply {
  return { remaining: available, reserved, used_total: usedTotal, free_granted: freeGranted };
}

export function agentReply(agent: AgentKey, now: number): Reply {
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
  };
}

export function poolReply(pool: AgentPool): Reply {
  return {
    date: pool.date,
    capacity: pool.capacity,
    configured_capacity: pool.configuredCapacity,
    used: pool.used,
    remaining: pool.remaining,
    resets_at: pool.resetsAt.toISOString(),
  };
}

export function auditReply(entry: AuditEntry): Reply {
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    actor: { key_id: entry.actorId, name: entry.actor },
    from: entry.origin,
    act: entry.act,
    account_id: entry.accountId,
    mode: modeOf(entry),
    key_id: entry.keyId,
    details: entry.details,
  };
}

/** Of the account's key that acted; null when an administrator did. */
function modeOf({ simulated }: AuditEntry): 'live' | 'test' | null {
  if (simulated === null) return null;
  return simulated ? 'test' : 'live';
}

export function creditsAuditReply({ accounts, differing }: AuditReport) {
  return {
    accounts,
    differing: differing.map((account) => ({
      account_id: account.accountId,
      balance: account.balance,
      ledger_sum: account.ledgerSum,
      reserved: account.reserved,
      ledger_reserved: account.ledgerReserved,
      open_reservations: account.openReservations,
      used_total: account.usedTotal,
      ledger_charged: account.ledgerCharged,
      entries: account.entries,
      ledger_entries: account.ledgerEntries,
      broken_entries: account.brokenEntries,
    })),
  };
}

/** @param name of the list, such as `accounts` */
export function pageReply<T>(name: string, { items, nextCursor }: Page<T>, reply: (item: T) => Reply): Reply {
  return { [name]: items.map((item) => reply(item)), next_cursor: nextCursor };
}
