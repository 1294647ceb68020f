import { ApiProperty } from '@nestjs/swagger';
import { TIME_OR_NULL } from '../platform/http/schemas.js';
import type { KeyCeiling } from './scope/key-ceiling.entity.js';
import { type CeilingName, ceilingsAt } from './scope/ceilings.js';

export class KeyCeilingReply {
  @ApiProperty({ type: 'integer', description: 'What may be spent.' })
  readonly credits: number;

  @ApiProperty({ type: 'integer', description: 'Charged, and reserved for work that still runs.' })
  readonly used: number;

  @ApiProperty({ ...TIME_OR_NULL, description: 'When `used` starts again at 0; null: never.' })
  readonly resets_at: string | null;
}

const CEILING_OR_NULL = { type: KeyCeilingReply, nullable: true } as const;

export class KeyCeilingsReply {
  @ApiProperty({ ...CEILING_OR_NULL, description: 'Of a UTC day.' })
  readonly credits_per_day: KeyCeilingReply | null;

  @ApiProperty({ ...CEILING_OR_NULL, description: 'Of a UTC month.' })
  readonly credits_per_month: KeyCeilingReply | null;

  @ApiProperty(CEILING_OR_NULL)
  readonly credits_total: KeyCeilingReply | null;
}

export function keyCeilingsReply(row: KeyCeiling | null, now: number): KeyCeilingsReply | null {
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
