import { findingFields, FoundRecordReply } from '../../domains/finding.reply.js';
import { PageOf } from '../../../platform/http/page.js';
import { MONITOR_AREAS, RUN_CAUSES, RUN_STATES } from '../findings/monitor-run.js';
import { Extended, field, Reply } from '../../../platform/http/reply.js';

export class MonitorRunReply extends Reply({
  id: field.id(),
  monitor_id: field.id(),
  number: field.countFromOne('Which run of the monitor it is.'),
  cause: field.oneOf(RUN_CAUSES),
  state: field.oneOf(RUN_STATES),
  answered: field.boolean('Whether everything that decides about the state was answered.'),
  unanswered_why: field.textOrNull(
    'A sentence where our own DNS resolver was not believed (`untrusted`), so that it is no fault of the target; null otherwise.',
  ),
  changed: field.boolean('Whether facts or findings are others than those of the run before.'),
  opened: field.count(),
  resolved: field.count(),
  credits_charged: field.count(),
  started_at: field.time(),
  finished_at: field.time(),
}) {}

export class MonitorRunPageReply extends PageOf(MonitorRunReply, 'runs') {}

export class ListFactReply extends Reply({
  list: field.text({ example: 'psbl' }),
  target: field.text(),
  status: field.text({ description: 'As in a check of block lists.', example: 'not_listed' }),
  why: field.textOrNull(),
}) {}

export class MonitorFactsReply extends Reply({
  records: field.listOf(FoundRecordReply),
  spf_lookups: field.countOrNull(),
  dnssec: field.oneOfOrNull<string>(['secure', 'insecure', 'bogus', 'unknown']),
  blacklists: field.listOf(ListFactReply),
  unanswered: field.texts(
    'Names that the DNS did not answer for, and block lists that did not, each with its target: what is shown of them is from the run before.',
  ),
}) {}

export class SeenFindingReply extends findingFields(
  MONITOR_AREAS,
  'The domain, a mail host, an address or a selector; of a listing the list and the target.',
) {}

export class MonitorRunWithResultReply extends Extended(MonitorRunReply, {
  facts: field.one(MonitorFactsReply),
  findings: field.listOf(SeenFindingReply, 'The worst first, as the run saw them.'),
}) {}

export class ChangedRecordReply extends Reply({
  name: field.text({ example: 'example.com.' }),
  type: field.oneOf(['MX', 'NS', 'PTR', 'TXT', 'TLSA']),
  before: field.texts(),
  after: field.texts(),
}) {}

export class ChangedListingReply extends Reply({
  list: field.text(),
  target: field.text(),
  before: field.textOrNull('Null: it was not asked.'),
  after: field.textOrNull(),
}) {}

export class MonitorDiffReply extends Reply({
  from: field.id(),
  to: field.id(),
  records_added: field.listOf(FoundRecordReply),
  records_removed: field.listOf(FoundRecordReply),
  records_changed: field.listOf(ChangedRecordReply, 'Names and types that have records in both, and others.'),
  listings_changed: field.listOf(ChangedListingReply),
  findings_opened: field.listOf(SeenFindingReply, 'Seen by the second and not by the first.'),
  findings_resolved: field.listOf(SeenFindingReply),
}) {}
