import { ApiProperty } from '@nestjs/swagger';
import { PageOf } from '../../platform/http/page.js';
import { TIME_OR_NULL, ID_SCHEMA, TEXT_OR_NULL } from '../../platform/http/schemas.js';
import { FINDING_STATES, MONITOR_EVENT_TYPES } from '../findings/monitor-run.js';
import { SeenFindingReply } from './monitor-runs.reply.js';

const ID_OR_NULL = { ...ID_SCHEMA, nullable: true } as const;

export class MonitorFindingReply extends SeenFindingReply {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;

  @ApiProperty({
    ...ID_SCHEMA,
    description: 'From the first check that saw it to its end: the events that open and resolve it carry the same.',
  })
  readonly incident_id: number;

  @ApiProperty({
    enum: FINDING_STATES,
    description: '`suspected`: seen once; `clearing`: open, and not seen by the last run.',
  })
  readonly state: string;

  @ApiProperty({ description: 'It comes and goes: it is told once a day.' })
  readonly flapping: boolean;

  @ApiProperty({ format: 'date-time' })
  readonly first_seen_at: string;

  @ApiProperty(TIME_OR_NULL)
  readonly confirmed_at: string | null;

  @ApiProperty({ format: 'date-time' })
  readonly last_seen_at: string;

  @ApiProperty(TIME_OR_NULL)
  readonly resolved_at: string | null;

  @ApiProperty(TIME_OR_NULL)
  readonly muted_until: string | null;

  @ApiProperty(TEXT_OR_NULL)
  readonly note: string | null;
}

export class MonitorFindingPageReply extends PageOf(MonitorFindingReply, 'findings') {}

export class MonitorEventReply {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;

  @ApiProperty({ format: 'date-time' })
  readonly at: string;

  @ApiProperty({ enum: MONITOR_EVENT_TYPES })
  readonly type: string;

  @ApiProperty(ID_OR_NULL)
  readonly run_id: number | null;

  @ApiProperty(ID_OR_NULL)
  readonly finding_id: number | null;

  @ApiProperty({ type: 'object', additionalProperties: true })
  readonly data: Readonly<Record<string, unknown>>;
}

export class MonitorEventPageReply extends PageOf(MonitorEventReply, 'events') {}
