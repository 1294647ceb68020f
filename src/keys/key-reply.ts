import { ApiProperty } from '@nestjs/swagger';
import type { Page } from '../platform/http/page.js';
import type { IssuedKey, KeyRecord } from './keys.service.js';

const TIME_OR_NULL = { type: String, format: 'date-time', nullable: true } as const;
const STATUSES = ['active', 'grace', 'expired', 'revoked'] as const;

export type KeyStatus = (typeof STATUSES)[number];

/** A key as everybody is told of it. */
export class KeyReply {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ enum: ['live', 'test', 'admin', 'agent'] })
  readonly kind: string;

  @ApiProperty({ type: String, nullable: true })
  readonly name: string | null;

  @ApiProperty({ description: 'The last four characters of the token, to tell keys apart.', example: 'x7Qd' })
  readonly last_four: string;

  @ApiProperty({ enum: STATUSES, description: '`grace`: rotated, and still working until `revoked_at`.' })
  readonly status: KeyStatus;

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

export class KeyPageReply {
  @ApiProperty({ type: [KeyReply] })
  readonly keys: readonly KeyReply[];

  @ApiProperty({ type: String, nullable: true, description: 'For the next page as `cursor`; null on the last one.' })
  readonly next_cursor: string | null;
}

export function keyReply(key: KeyRecord, now: number): KeyReply {
  return fieldsOf(key, now);
}

export function issuedKeyReply({ token, key }: IssuedKey, now: number): IssuedKeyReply {
  return { api_key: token, ...fieldsOf(key, now) };
}

function fieldsOf(key: KeyRecord, now: number) {
  return {
    id: key.id,
    kind: key.kind,
    name: key.name,
    last_four: key.lastFour,
    status: keyStatus(key, now),
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
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
