import { ApiProperty } from '@nestjs/swagger';
import type { AuditEntry } from '../platform/audit/audit-log.js';
import { type Page, PageOf, pageReply } from '../platform/http/page.js';

export class AuditActorReply {
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Null: the service itself acted, or an administrator.',
  })
  readonly key_id: string | null;

  @ApiProperty({
    description:
      'Of the key, as it was called then; `mailsonde` for the service, `administrator` for an administrator.',
  })
  readonly name: string;
}

export class AuditEntryReply {
  @ApiProperty({ type: 'integer', format: 'int64' })
  readonly id: number;

  @ApiProperty({ format: 'date-time' })
  readonly at: string;

  @ApiProperty({ description: 'Who acted.' })
  readonly actor: AuditActorReply;

  @ApiProperty({
    description: 'The client address; `mailsonde` for the service, `administrator` for an administrator.',
    example: '192.0.2.7',
  })
  readonly from: string;

  @ApiProperty({ example: 'key.rotate' })
  readonly act: string;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'The key that was changed.' })
  readonly key_id: string | null;

  @ApiProperty({ type: Object, additionalProperties: true, description: 'Which thing it was, and what of it changed.' })
  readonly details: AuditEntry['details'];
}

export class AuditPageReply extends PageOf(AuditEntryReply, 'entries') {}

export const auditPageReply = (page: Page<AuditEntry>): AuditPageReply => pageReply('entries', page, auditEntryReply);

export function auditEntryReply({ id, at, actorId, actor, origin, action, keyId, details }: AuditEntry) {
  return {
    id,
    at: at.toISOString(),
    actor: { key_id: actorId, name: actor },
    from: origin,
    act: action,
    key_id: keyId,
    details,
  } satisfies AuditEntryReply;
}

/** The columns of a CSV. */
export const AUDIT_COLUMNS = ['id', 'at', 'actor_key_id', 'actor_name', 'from', 'act', 'key_id', 'details'] as const;

/** An entry as a row of a CSV. */
export function auditRow(entry: AuditEntry): Record<(typeof AUDIT_COLUMNS)[number], unknown> {
  const { actor, ...row } = auditEntryReply(entry);
  return { ...row, actor_key_id: actor.key_id, actor_name: actor.name };
}
