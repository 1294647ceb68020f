import { type Page, PageOf } from '../platform/http/page.js';
import { Extended, field, Reply, replyOf } from '../platform/http/reply.js';
import type { IssuedKey, KeyRecord } from './key.service.js';
import { type CeilingName, ceilingsAt } from './scope/ceilings.js';
import type { KeyCeiling } from './scope/key-ceiling.entity.js';
import { ADMIN_PERMISSIONS, type HeldPermissions, PERMISSIONS } from './scope/key-scope.js';

export const KEY_STATUSES = ['active', 'grace', 'expired', 'revoked'] as const;

export type KeyStatus = (typeof KEY_STATUSES)[number];

export class KeyMakerReply extends Reply({
  type: field.oneOf(['key', 'administrator']),
  id: field.uuidOrNull('The key, or that of the administrator; null: an administrator by the command line.'),
}) {}

export class KeyCeilingReply extends Reply({
  credits: field.integer('What may be spent.'),
  used: field.integer('Charged, and reserved for work that still runs.'),
  resets_at: field.timeOrNull('When `used` starts again at 0; null: never.'),
}) {}

export class KeyCeilingsReply extends Reply({
  credits_per_day: field.oneOrNull(KeyCeilingReply, 'Of a UTC day.'),
  credits_per_month: field.oneOrNull(KeyCeilingReply, 'Of a UTC month.'),
  credits_total: field.oneOrNull(KeyCeilingReply),
}) {}

/** A key as every reply shows it. */
export class KeyReply extends Reply({
  id: field.uuid(),
  kind: field.oneOf(['live', 'test', 'admin', 'agent']),
  name: field.textOrNull(),
  last_four: field.text({ description: 'The last four characters of the token, to tell keys apart.', example: 'x7Qd' }),
  status: field.oneOf(KEY_STATUSES, '`grace`: rotated, and still working until `revoked_at`.'),
  permissions: field.of<HeldPermissions>({
    type: String,
    enum: [...PERMISSIONS, ...ADMIN_PERMISSIONS],
    isArray: true,
    nullable: true,
    description: 'What the key may do; null: all.',
  }),
  networks: field.textsOrNull('From where it works, in CIDR notation; null: everywhere.'),
  ceilings: field.oneOrNull(
    KeyCeilingsReply,
    'What it may spend of the balance; null: whatever there is, and of an agent nothing.',
  ),
  created_by: field.oneOrNull(
    KeyMakerReply,
    'Who made it, or claimed it as an agent; what rotation puts in its place has the same. Null: an agent that registered itself, or a key that is older than this member.',
  ),
  created_at: field.time(),
  expires_at: field.timeOrNull(),
  last_used_at: field.timeOrNull('Written at most once a minute.'),
  revoked_at: field.timeOrNull('Ahead of now while a rotated key has its grace.'),
}) {}

export class IssuedKeyReply extends Extended(KeyReply, {
  api_key: field.textOrNull(
    'The token. Shown here and never again; null in the replay of an idempotency key to another API key.',
  ),
}) {}

export class KeyPageReply extends PageOf(KeyReply, 'keys') {}

export function keyReply(key: KeyRecord, now: number) {
  return replyOf(KeyReply, {
    ...key,
    status: keyStatus(key, now),
    ceilings: keyCeilingsReply(key.ceiling, now),
    createdBy: key.makerKind && { type: key.makerKind, id: key.makerId },
  });
}

function keyCeilingsReply(row: KeyCeiling | null, now: number): KeyCeilingsReply | null {
  if (row === null) return null;
  const shown: Record<CeilingName, KeyCeilingReply | null> = {
    credits_per_day: null,
    credits_per_month: null,
    credits_total: null,
  };
  for (const { name, credits, used, resetsAt } of ceilingsAt(row, now))
    shown[name] = { credits, used, resets_at: resetsAt?.toISOString() ?? null };
  return shown;
}

export function issuedKeyReply({ token, key }: IssuedKey, now: number): IssuedKeyReply {
  return { api_key: token, ...keyReply(key, now) };
}

export function keyPageReply({ items, nextCursor }: Page<KeyRecord>, now: number): KeyPageReply {
  return { keys: items.map((key) => keyReply(key, now)), next_cursor: nextCursor };
}

export function keyStatus(
  { expiresAt, revokedAt }: Pick<KeyRecord, 'expiresAt' | 'revokedAt'>,
  now: number,
): KeyStatus {
  if (revokedAt !== null && revokedAt.getTime() <= now) return 'revoked';
  if (expiresAt !== null && expiresAt.getTime() <= now) return 'expired';
  return revokedAt === null ? 'active' : 'grace';
}
