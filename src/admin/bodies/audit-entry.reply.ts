import { ApiProperty, OmitType } from '@nestjs/swagger';
import { AUDIT_COLUMNS, AuditEntryReply, auditEntryReply, auditRow } from '../../audit/audit.reply.js';
import { PageOf } from '../../platform/http/page.js';
import type { AuditEntry } from '../audit.service.js';

const ID_OR_NULL = { type: String, format: 'uuid', nullable: true } as const;

export class AdminAuditActorBody {
  @ApiProperty({ ...ID_OR_NULL, description: 'The key that acted; null on the command line.' })
  readonly key_id: string | null;

  @ApiProperty()
  readonly name: string;
}

/** What accounts see of their own acts, and whose act it was. */
export class AdminAuditEntryReply extends OmitType(AuditEntryReply, ['actor', 'from']) {
  @ApiProperty({ type: AdminAuditActorBody })
  readonly actor: AdminAuditActorBody;

  @ApiProperty({ description: "The client's address, or the machine of the command line." })
  readonly from: string;

  @ApiProperty(ID_OR_NULL)
  readonly account_id: string | null;

  @ApiProperty({
    enum: ['live', 'test'],
    nullable: true,
    description: "Of the account's key that acted; null when an administrator did.",
  })
  readonly mode: 'live' | 'test' | null;
}

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
