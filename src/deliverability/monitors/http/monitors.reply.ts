import { PageOf } from '../../../platform/http/page.js';
import { Extended, field, Reply } from '../../../platform/http/reply.js';
import { ALERT_FROM, MONITOR_KINDS, MONITOR_STATES, PAUSES } from '../findings/monitor.js';
import { MONITOR_AREAS, RUN_STATES } from '../findings/monitor-run.js';

export class OpenCountsReply extends Reply({
  critical: field.count(),
  warning: field.count(),
  info: field.count(),
}) {}

export class MutedListReply extends Reply({
  list: field.text({ example: 'psbl' }),
  muted_until: field.time(),
  note: field.textOrNull(),
  since: field.timeOrNull('Since when it is muted.'),
  key_id: field.textOrNull('The key that has muted it.'),
}) {}

export class MonitorReply extends Reply({
  id: field.id(),
  kind: field.oneOf(MONITOR_KINDS),
  target: field.text({
    description: 'The domain in A-labels, or the address in its short form.',
    example: 'example.com',
  }),
  name: field.textOrNull(),
  state: field.oneOf(
    MONITOR_STATES,
    'The worst finding that is open; `pending`: before the first run; `unknown`: the last run lacked an answer that decides.',
  ),
  paused_by: field.oneOfOrNull(
    PAUSES,
    '`plan`: the plan has room for fewer; `suspended`: the account is; `operator`: an administrator did.',
  ),
  paused_why: field.textOrNull(),
  enabled: field.boolean(),
  interval_minutes: field.countFromOne(),
  checks: field.of<readonly string[] | null>({
    enum: MONITOR_AREAS,
    isArray: true,
    nullable: true,
    description: 'Only these; null: all.',
  }),
  dkim_selectors: field.texts(),
  sending_addresses: field.texts(),
  alert_from: field.oneOf(ALERT_FROM),
  notify_first: field.boolean(),
  muted_lists: field.listOf(MutedListReply, 'Block lists of which nothing is told.'),
  open: field.one(OpenCountsReply, 'Findings that are open, muted ones among them.'),
  created_at: field.time(),
  next_run_at: field.timeOrNull('Null while it is paused.'),
  last_run_at: field.timeOrNull(),
  last_run_id: field.idOrNull(),
  unanswered_since: field.timeOrNull('Since when each of its runs has lacked an answer that decides about the state.'),
  unanswered_why: field.textOrNull(
    'A sentence where our own DNS resolver was not believed in the last run (`untrusted`), so that it is no fault of the target; null otherwise.',
  ),
}) {}

class MonitorDayReply extends Reply({
  day: field.day('UTC.'),
  state: field.oneOfOrNull(RUN_STATES, 'The worst that a run of this day found; null: it did not run.'),
}) {}

export class MonitorWithDaysReply extends Extended(MonitorReply, {
  days: field.listOf(MonitorDayReply, 'The last 30, the oldest first.'),
}) {}

export class MonitorPageReply extends PageOf(MonitorReply, 'monitors') {}
