import { ApiProperty } from '@nestjs/swagger';
import { SEVERITIES, TARGET_KINDS } from '../../mail-dns/blacklist-row.js';
import { TIME_OR_NULL } from '../../platform/http/schemas.js';
import type { WatchedList } from '../blacklist-administration.service.js';

const WHY = { type: String, nullable: true, example: 'public_resolver' } as const;
const STATE = { enum: ['healthy', 'refused', 'unhealthy', 'silent'] } as const;

export class ListHealthReply {
  @ApiProperty({ enum: TARGET_KINDS })
  readonly kind: string;

  @ApiProperty(STATE)
  readonly state: string;

  @ApiProperty(WHY)
  readonly why: string | null;

  @ApiProperty({ format: 'date-time' })
  readonly since: string;

  @ApiProperty({ format: 'date-time' })
  readonly tested_at: string;
}

export class ListHealthChangeReply {
  @ApiProperty({ enum: TARGET_KINDS })
  readonly kind: string;

  @ApiProperty(STATE)
  readonly state: string;

  @ApiProperty(WHY)
  readonly why: string | null;

  @ApiProperty({ format: 'date-time' })
  readonly at: string;
}

export class WatchedListReply {
  @ApiProperty({ example: 'psbl', description: 'A row of `config/blacklists.json`.' })
  readonly id: string;

  @ApiProperty()
  readonly name: string;

  @ApiProperty({ enum: SEVERITIES })
  readonly severity: string;

  @ApiProperty({ description: 'Whether this installation may ask it, by keys and terms.' })
  readonly configured: boolean;

  @ApiProperty({ description: 'An administrator has turned it off: nobody asks it.' })
  readonly off: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'Why it is off.' })
  readonly reason: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Who has turned it off.' })
  readonly off_by: string | null;

  @ApiProperty(TIME_OR_NULL)
  readonly off_since: string | null;

  @ApiProperty({ type: [ListHealthReply], description: 'What its test points have shown last, by kind of targets.' })
  readonly health: readonly ListHealthReply[];

  @ApiProperty({
    type: [ListHealthChangeReply],
    description: 'Changes of its health in 90 days, newest first, at most 20.',
  })
  readonly history: readonly ListHealthChangeReply[];
}

export class WatchedListsReply {
  @ApiProperty({ type: [WatchedListReply] })
  readonly blacklists: readonly WatchedListReply[];
}

const MAX_CHANGES = 20;

export function watchedListReply({ known, healths, off, history }: WatchedList): WatchedListReply {
  const { list, access } = known;
  return {
    id: list.id,
    name: list.name,
    severity: list.severity,
    configured: 'open' in access,
    off: off !== null,
    reason: off?.reason ?? null,
    off_by: off?.by ?? null,
    off_since: off?.since.toISOString() ?? null,
    health: healths.map(({ kind, health: { state, why, since, testedAt } }) => ({
      kind,
      state,
      why,
      since: since.toISOString(),
      tested_at: testedAt.toISOString(),
    })),
    history: history.slice(0, MAX_CHANGES).map(({ kind, state, why, at }) => ({
      kind,
      state,
      why,
      at: at.toISOString(),
    })),
  };
}
