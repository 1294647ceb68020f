import { ApiProperty } from '@nestjs/swagger';
import { type Page, PageOf } from '../platform/http/page.js';
import { TIME_OR_NULL } from '../platform/http/schemas.js';
import { KeyCeilingsReply, keyCeilingsReply } from './key-ceilings.reply.js';
import type { IssuedKey, KeyRecord } from './key.service.js';
import { ADMIN_PERMISSIONS, type HeldPermissions, PERMISSIONS } from './scope/key-scope.js';

export const KEY_STATUSES = ['active', 'grace', 'expired', 'revoked'] as const;

export type KeyStatus = (typeof KEY_STATUSES)[number];

export class KeyMakerReply {
  @ApiProperty({ enum: ['key', 'administrator'] })
  readonly type: string;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The key, or that of the administrator; null: an administrator by the command line.',
  })
  readonly id: string | null;
}

/** A key as every reply shows it. */
export class KeyReply {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ enum: ['live', 'test', 'admin', 'agent'] })
  readonly kind: string;

  @ApiProperty({ type: String, nullable: true })
  readonly name: string | null;

  @ApiProperty({ description: 'The last four characters of the token, to tell keys apart.', example: 'x7Qd' })
  readonly last_four: string;

  @ApiProperty({ enum: KEY_STATUSES, description: '`grace`: rotated, and still working until `revoked_at`.' })
  readonly status: KeyStatus;

  @ApiProperty({
    type: String,
    enum: [...PERMISSIONS, ...ADMIN_PERMISSIONS],
    isArray: true,
    nullable: true,
    description: 'What the key may do; null: all.',
  })
  readonly permissions: HeldPermissions;

  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'From where it works, in CIDR notation; null: everywhere.',
  })
  readonly networks: readonly string[] | null;

  @ApiProperty({
    type: KeyCeilingsReply,
    nullable: true,
    description: 'What it may spend of the balance; null: whatever there is, and of an agent nothing.',
  })
  readonly ceilings: KeyCeilingsReply | null;

  @ApiProperty({
    type: KeyMakerReply,
    nullable: true,
    description:
      'Who made it, or claimed it as an agent; what rotation puts in its place has the same. Null: an agent that registered itself, or a key that is older than this member.',
  })
  readonly created_by: KeyMakerReply | null;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;

  @ApiProperty(TIME_OR_NULL)
  readonly expires_at: string | null;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Written at most once a minute.' })
  readonly last_used_at: string | null;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Ahead of now while a rotated key has its grace.' })
  readonly revoked_at: string | null;
}

export class IssuedKeyReply extends KeyReply {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The token. Shown here and never again; null in the replay of an idempotency key to another API key.',
  })
  readonly api_key: string | null;
}

export class KeyPageReply extends PageOf(KeyReply, 'keys') {}

export function keyReply(key: KeyRecord, now: number) {
  return {
    id: key.id,
    kind: key.kind,
    name: key.name,
    last_four: key.lastFour,
    status: keyStatus(key, now),
    permissions: key.permissions,
    networks: key.networks,
    ceilings: keyCeilingsReply(key.ceiling, now),
    created_by: key.makerKind && { type: key.makerKind, id: key.makerId },
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  } satisfies KeyReply;
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
