import type { EntityManager } from 'typeorm';
import { addToAuditLog, type AuditEntry } from '../platform/audit/audit-log.js';
import { addressOrUnknown } from './scope/networks.js';
import { getAccountId, type Principal } from './access/principal.js';

/** An act of an account on something of its own. */
export type AccountAction =
  | 'key.create'
  | 'key.change'
  | 'key.rotate'
  | 'key.revoke'
  | 'agent.claim'
  | 'webhook.create'
  | 'webhook.change'
  | 'webhook.rotate_secret'
  | 'webhook.delete'
  | 'list.rename'
  | 'list.delete'
  | 'list.schedule'
  | 'list.unschedule'
  | 'batch.start'
  | 'batch.cancel'
  | 'batch.delete'
  | 'batch.retention'
  | 'batch.settings'
  | 'monitor.create'
  | 'monitor.change'
  | 'monitor.delete'
  | 'monitor.mute'
  | 'placement.cancel'
  | 'placement.delete'
  | 'suppression.add'
  | 'suppression.remove'
  | 'suppression.settings'
  | 'verification.settings'
  | 'address.erase';

/** Writes down in the act's own transaction which key did it, when and from where. */
export function recordAccountAction(
  tx: EntityManager,
  principal: Principal,
  at: Date,
  act: AccountAction,
  details: AuditEntry['details'],
  keyId: string | null = null,
): Promise<void> {
  return addToAuditLog(tx, {
    at,
    actorId: principal.keyId,
    actor: `${principal.kind} key ${principal.keyId}`,
    origin: addressOrUnknown(principal.clientAddress),
    action: act,
    accountId: getAccountId(principal),
    simulated: principal.simulated,
    keyId,
    details,
  });
}
