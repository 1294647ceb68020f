import { PageOf } from '../../../platform/http/page.js';
import { Extended, field, Reply } from '../../../platform/http/reply.js';
import { FINDING_STATES, MONITOR_EVENT_TYPES } from '../findings/monitor-run.js';
import { SeenFindingReply } from './monitor-runs.reply.js';

export class MonitorFindingReply extends Extended(SeenFindingReply, {
  id: field.id(),
  incident_id: field.id(
    'From the first check that saw it to its end: the events that open and resolve it carry the same.',
  ),
  state: field.oneOf(FINDING_STATES, '`suspected`: seen once; `clearing`: open, and not seen by the last run.'),
  flapping: field.boolean('It comes and goes: it is told once a day.'),
  first_seen_at: field.time(),
  confirmed_at: field.timeOrNull(),
  last_seen_at: field.time(),
  resolved_at: field.timeOrNull(),
  muted_until: field.timeOrNull(),
  note: field.textOrNull(),
}) {}

export class MonitorFindingPageReply extends PageOf(MonitorFindingReply, 'findings') {}

export class MonitorEventReply extends Reply({
  id: field.id(),
  at: field.time(),
  type: field.oneOf(MONITOR_EVENT_TYPES),
  run_id: field.idOrNull(),
  finding_id: field.idOrNull(),
  data: field.anyMembers(),
}) {}

export class MonitorEventPageReply extends PageOf(MonitorEventReply, 'events') {}
