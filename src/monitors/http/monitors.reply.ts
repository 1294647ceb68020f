import { ApiProperty } from '@nestjs/swagger';
import { PageOf } from '../../platform/http/page.js';
import { TIME_OR_NULL, COUNT, ID_SCHEMA, TEXT_OR_NULL } from '../../platform/http/schemas.js';
import { ALERT_FROM, MONITOR_KINDS, MONITOR_STATES, PAUSES } from '../findings/monitor.js';
import { MONITOR_AREAS } from '../findings/monitor-run.js';

export class OpenCountsReply {
  @ApiProperty(COUNT)
  readonly critical: number;

  @ApiProperty(COUNT)
  readonly warning: number;

  @ApiProperty(COUNT)
  readonly info: number;
}

export class MutedListReply {
  @ApiProperty({ example: 'psbl' })
  readonly list: string;

  @ApiProperty({ format: 'date-time' })
  readonly muted_until: string;

  @ApiProperty(TEXT_OR_NULL)
  readonly note: string | null;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Since when it is muted.' })
  readonly since: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'The key that has muted it.' })
  readonly key_id: string | null;
}

export class MonitorReply {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;

  @ApiProperty({ enum: MONITOR_KINDS })
  readonly kind: string;

  @ApiProperty({ description: 'The domain in A-labels, or the address in its short form.', example: 'example.com' })
  readonly target: string;

  @ApiProperty(TEXT_OR_NULL)
  readonly name: string | null;

  @ApiProperty({
    enum: MONITOR_STATES,
    description:
      'The worst finding that is open; `pending`: before the first run; `unknown`: the last run lacked an answer that decides.',
  })
  readonly state: string;

  @ApiProperty({
    enum: PAUSES,
    type: String,
    nullable: true,
    description: '`plan`: the plan has room for fewer; `suspended`: the account is; `operator`: an administrator did.',
  })
  readonly paused_by: string | null;

  @ApiProperty(TEXT_OR_NULL)
  readonly paused_why: string | null;

  @ApiProperty()
  readonly enabled: boolean;

  @ApiProperty({ type: 'integer', minimum: 1 })
  readonly interval_minutes: number;

  @ApiProperty({ enum: MONITOR_AREAS, isArray: true, nullable: true, description: 'Only these; null: all.' })
  readonly checks: readonly string[] | null;

  @ApiProperty({ type: [String] })
  readonly dkim_selectors: readonly string[];

  @ApiProperty({ type: [String] })
  readonly sending_addresses: readonly string[];

  @ApiProperty({ enum: ALERT_FROM })
  readonly alert_from: string;

  @ApiProperty()
  readonly notify_first: boolean;

  @ApiProperty({ type: [MutedListReply], description: 'Block lists of which nothing is told.' })
  readonly muted_lists: readonly MutedListReply[];

  @ApiProperty({ type: OpenCountsReply, description: 'Findings that are open, muted ones among them.' })
  readonly open: OpenCountsReply;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Null while it is paused.' })
  readonly next_run_at: string | null;

  @ApiProperty(TIME_OR_NULL)
  readonly last_run_at: string | null;

  @ApiProperty({ ...ID_SCHEMA, nullable: true })
  readonly last_run_id: number | null;

  @ApiProperty({
    ...TIME_OR_NULL,
    description: 'Since when each of its runs has lacked an answer that decides about the state.',
  })
  readonly unanswered_since: string | null;
}

export class MonitorPageReply extends PageOf(MonitorReply, 'monitors') {}
