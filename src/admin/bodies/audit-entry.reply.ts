import { OmitType } from '@nestjs/swagger';
import { AUDIT_COLUMNS, AuditEntryReply, auditEntryReply, auditRow } from '../../audit/audit.reply.js';
import { PageOf } from '../../platform/http/page.js';
import type { AuditEntry } from '../audit.service.js';
import { Extended, field, Reply } from '../../platform/http/reply.js';

export class AdminAuditActorBody extends Reply({
  key_id: field.uuidOrNull('The key that acted; null on the command line.'),
  name: field.text(),
}) {}

/** What accounts see of their own acts, and whose act it was. */
export class AdminAuditEntryReply extends Extended(OmitType(AuditEntryReply, ['actor', 'from']), {
  actor: field.one(AdminAuditActorBody),
  from: field.text("The client's address, or the machine of the command line."),
  account_id: field.uuidOrNull(),
  mode: field.oneOfOrNull(['live', 'test'], "Of the account's key that acted; null when an administrator did."),
}) {}

export class AdminAuditPageReply extends PageOf(AdminAuditEntryReply, 'entries') {}

export function adminAuditEntryReply(entry: AuditEntry): AdminAuditEntryReply {
  return {
    ...auditEntryReply(entry),
    actor: { key_id: entry.actorId, name: entry.actor },
    account_id: entry.accountId,
    mode: modeOf(entry),
  };
}

/** Of the account's key that acted; null when an administrator did. */
function modeOf({ simulated }: AuditEntry): 'live' | 'test' | null {
  if (simulated === null) return null;
  return simulated ? 'test' : 'live';
}

export const ADMIN_AUDIT_COLUMNS = [...AUDIT_COLUMNS, 'account_id', 'mode'] as const;

/** An entry as a row of a CSV. */
export function adminAuditRow(entry: AuditEntry): Record<(typeof ADMIN_AUDIT_COLUMNS)[number], unknown> {
  return { ...auditRow(entry), account_id: entry.accountId, mode: modeOf(entry) };
}
