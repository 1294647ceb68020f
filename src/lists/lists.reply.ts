import { ApiExtraModels } from '@nestjs/swagger';
import { FullRow, replyOrNull, VerdictCounts } from '../batch/http/batch.reply.js';
import { NEXT_CURSOR, PageOf } from '../platform/http/page.js';
import { type ListSchedule, MAX_SCHEDULES, RUN_STATES } from './list-schedule.js';
import { Extended, field, Reply, replyOf } from '../platform/http/reply.js';

/* Replies about lists and their schedules, for the documents. */

export const VERDICTS = ['valid', 'invalid', 'risky', 'unknown'] as const;

export class ListReply extends Reply({
  id: field.id("The batch's."),
  name: field.text("The batch's name, or `batch <id>`."),
  batch_id: field.id('That verified it last: the first one, unless it has a schedule.'),
  total_emails: field.integer(),
  counts: field.one(VerdictCounts),
  created_at: field.time(),
  verified_at: field.time('When it was verified last.'),
  expires_at: field.timeOrNull('When its addresses are deleted; null while it has a schedule that is enabled.'),
  download_url: field.url(),
}) {}

export class ListWithRowsReply extends Extended(ListReply, {
  results: field.listOf(FullRow, 'The first rows, in the order of submission.'),
  next_cursor: NEXT_CURSOR,
}) {}

export class ListPageReply extends PageOf(ListReply, 'lists') {}

export class ListRunReply extends Reply({
  at: field.time(),
  status: field.oneOf(RUN_STATES),
  reason: field.textOrNull(
    'Why it was skipped: a code of the errors. Why it has failed: `batch_failed`, `batch_cancelled`, or `batch_not_found` when its batch was deleted.',
  ),
  batch_id: field.idOrNull('Of the batch that verified the list.'),
  changed: field.integerOrNull('Addresses whose verdict has changed.'),
}) {}

@ApiExtraModels(ListRunReply)
export class ListScheduleReply extends Reply({
  list_id: field.id(),
  every_days: field.integer(),
  verdicts: field.of<readonly string[] | null>({
    type: 'array',
    items: { type: 'string', enum: [...VERDICTS] },
    nullable: true,
  }),
  reuse_days: field.integer(),
  max_credits: field.integerOrNull(),
  enabled: field.boolean(),
  created_at: field.time(),
  next_run_at: field.timeOrNull('Null while it is not enabled.'),
  last_run: replyOrNull(ListRunReply),
}) {}

export class NamedScheduleReply extends Extended(ListScheduleReply, { name: field.text("The list's.") }) {}

export class SchedulesReply extends Reply({
  schedules: field.listOf(NamedScheduleReply, { maxItems: MAX_SCHEDULES, description: 'The next one to run first.' }),
}) {}

export class AnswerReply extends Reply({
  verdict: field.oneOf(VERDICTS),
  reason: field.text(),
}) {}

export class ListChangeReply extends Reply({
  email: field.text(),
  before: field.one(AnswerReply),
  after: field.one(AnswerReply),
}) {}

export class ListChangesReply extends Reply({
  list_id: field.id(),
  batch_id: field.idOrNull('Of the newest run; null before the first one.'),
  pending: field.boolean(
    'Whether that run still has to be compared, which takes seconds: `changes` is empty until then.',
  ),
  changes: field.listOf(ListChangeReply),
  next_cursor: NEXT_CURSOR,
}) {}

export function scheduleReply(schedule: ListSchedule) {
  const { enabled, nextRunAt, lastRunAt, lastRunStatus, lastRunReason, lastRunBatchId, lastRunChanged } = schedule;
  const [status, changed] = [lastRunStatus!, lastRunChanged];
  return replyOf(ListScheduleReply, {
    ...schedule,
    nextRunAt: enabled ? nextRunAt : null,
    lastRun:
      lastRunAt &&
      replyOf(ListRunReply, { at: lastRunAt, status, reason: lastRunReason, batchId: lastRunBatchId, changed }),
  });
}
