import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { NEXT_CURSOR } from '../platform/http/page.js';
import { type ListSchedule, MAX_SCHEDULES, RUN_STATES } from './list-schedule.js';
import { ID_SCHEMA } from '../platform/http/schemas.js';

/* Replies about schedules of lists, for the documents. */

const VERDICT = { enum: ['valid', 'invalid', 'risky', 'unknown'] };

export class ListRunReply {
  @ApiProperty({ format: 'date-time' })
  readonly at: string;

  @ApiProperty({ enum: RUN_STATES })
  readonly status: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Why it was skipped: a code of the errors. Why it has failed: `batch_failed`, `batch_cancelled`, or `batch_not_found` when its batch was deleted.',
  })
  readonly reason: string | null;

  @ApiProperty({ ...ID_SCHEMA, nullable: true, description: 'Of the batch that verified the list.' })
  readonly batch_id: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Addresses whose verdict has changed.' })
  readonly changed: number | null;
}

@ApiExtraModels(ListRunReply)
export class ListScheduleReply {
  @ApiProperty(ID_SCHEMA)
  readonly list_id: number;

  @ApiProperty({ type: 'integer' })
  readonly every_days: number;

  @ApiProperty({ type: 'array', items: { type: 'string', ...VERDICT }, nullable: true })
  readonly verdicts: readonly string[] | null;

  @ApiProperty({ type: 'integer' })
  readonly reuse_days: number;

  @ApiProperty({ type: 'integer', nullable: true })
  readonly max_credits: number | null;

  @ApiProperty()
  readonly enabled: boolean;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null while it is not enabled.' })
  readonly next_run_at: string | null;

  @ApiProperty({ oneOf: [{ $ref: getSchemaPath(ListRunReply) }, { type: 'null' }] })
  readonly last_run: ListRunReply | null;
}

export class NamedScheduleReply extends ListScheduleReply {
  @ApiProperty({ description: "The list's." })
  readonly name: string;
}

export class SchedulesReply {
  @ApiProperty({ type: [NamedScheduleReply], maxItems: MAX_SCHEDULES, description: 'The next one to run first.' })
  readonly schedules: readonly NamedScheduleReply[];
}

export class AnswerReply {
  @ApiProperty(VERDICT)
  readonly verdict: string;

  @ApiProperty()
  readonly reason: string;
}

export class ListChangeReply {
  @ApiProperty()
  readonly email: string;

  @ApiProperty({ type: AnswerReply })
  readonly before: AnswerReply;

  @ApiProperty({ type: AnswerReply })
  readonly after: AnswerReply;
}

export class ListChangesReply {
  @ApiProperty(ID_SCHEMA)
  readonly list_id: number;

  @ApiProperty({ ...ID_SCHEMA, nullable: true, description: 'Of the newest run; null before the first one.' })
  readonly batch_id: number | null;

  @ApiProperty({
    description: 'Whether that run still has to be compared, which takes seconds: `changes` is empty until then.',
  })
  readonly pending: boolean;

  @ApiProperty({ type: [ListChangeReply] })
  readonly changes: readonly ListChangeReply[];

  @ApiProperty(NEXT_CURSOR)
  readonly next_cursor: string | null;
}

export function scheduleReply(schedule: ListSchedule): object {
  const { listId, everyDays, reuseDays, maxCredits, createdAt, enabled, lastRunAt } = schedule;
  return {
    list_id: listId,
    every_days: everyDays,
    verdicts: schedule.verdicts,
    reuse_days: reuseDays,
    max_credits: maxCredits,
    enabled,
    created_at: createdAt.toISOString(),
    next_run_at: enabled ? schedule.nextRunAt.toISOString() : null,
    last_run: lastRunAt && {
      at: lastRunAt.toISOString(),
      status: schedule.lastRunStatus,
      reason: schedule.lastRunReason,
      batch_id: schedule.lastRunBatchId,
      changed: schedule.lastRunChanged,
    },
  };
}
