import type { AuditEntry } from '../platform/audit/audit-log.js';
import { type Page, PageOf, pageReply } from '../platform/http/page.js';
import { field, Reply, replyOf } from '../platform/http/reply.js';

export class AuditActorReply extends Reply({
  key_id: field.uuidOrNull('Null: the service itself acted, or an administrator.'),
  name: field.text(
    'Of the key, as it was called then; `mailsonde` for the service, `administrator` for an administrator.',
  ),
}) {}

export class AuditEntryReply extends Reply({
  id: field.integer({ format: 'int64' }),
  at: field.time(),
  actor: field.one(AuditActorReply, 'Who acted.'),
  from: field.text({
    description: 'The client address; `mailsonde` for the service, `administrator` for an administrator.',
    example: '192.0.2.7',
  }),
  act: field.text({ example: 'key.rotate' }),
  key_id: field.uuidOrNull('The key that was changed.'),
  details: field.of<AuditEntry['details']>({
    type: Object,
    additionalProperties: true,
    description: 'Which thing it was, and what of it changed.',
  }),
}) {}

export class AuditPageReply extends PageOf(AuditEntryReply, 'entries') {}

export const auditPageReply = (page: Page<AuditEntry>): AuditPageReply => pageReply('entries', page, auditEntryReply);

export function auditEntryReply({ actorId, actor: name, origin: from, action: act, ...entry }: AuditEntry) {
  return replyOf(AuditEntryReply, { ...entry, actor: { key_id: actorId, name }, from, act });
}

/** The columns of a CSV. */
export const AUDIT_COLUMNS = ['id', 'at', 'actor_key_id', 'actor_name', 'from', 'act', 'key_id', 'details'] as const;

/** An entry as a row of a CSV. */
export function auditRow(entry: AuditEntry): Record<(typeof AUDIT_COLUMNS)[number], unknown> {
  const { actor, ...row } = auditEntryReply(entry);
  return { ...row, actor_key_id: actor.key_id, actor_name: actor.name };
}
