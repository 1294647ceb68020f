import { PageOf } from '../../platform/http/page.js';
import { Extended, field, Reply } from '../../platform/http/reply.js';
import { TEST_STATES, PLACEMENTS, type ProviderPlacement, type SeedStatus } from './placement-test.js';
import { PlacementReportReply, ReportFindingReply } from './report/report-sections.reply.js';

class SeedAuthenticationReply extends Reply({
  spf: field.textOrNull(),
  dkim: field.textOrNull(),
  dmarc: field.textOrNull(),
}) {}

class SeedReply extends Reply({
  provider: field.text({ example: 'gmail' }),
  placement: field.oneOf(PLACEMENTS, '`seed_error`: we could not look, so it counts nowhere.'),
  tab: field.textOrNull({ example: 'promotions' }),
  arrived_after_s: field.countOrNull(),
  matched_by: field.textOrNull({ example: 'header', description: 'By what the mail was known.' }),
  authentication: field.oneOrNull(SeedAuthenticationReply),
}) {}

class PlacementCountsReply extends Reply({
  measured: field.count('Seeds with an outcome; rates are over these.'),
  inbox: field.count(),
  tab: field.count('A kind of inbox.'),
  spam: field.count(),
  other_folder: field.count(),
  missing: field.count(),
  pending: field.count(),
  seed_error: field.count(),
}) {}

class ProviderPlacementReply extends Extended(PlacementCountsReply, {
  provider: field.text({ example: 'gmail' }),
  seeds: field.listOf(SeedReply),
}) {}

export class SeedPlacementReply extends Extended(PlacementCountsReply, {
  providers: field.listOf(ProviderPlacementReply),
  note: field.text(),
}) {}

class MarkerReply extends Reply({
  header: field.text({ example: 'X-Mailsonde-Test: 7q2k6mz4c3x5abcd' }),
  body_line: field.text({ example: 'mailsonde-test: 7q2k6mz4c3x5abcd' }),
}) {}

class FindingCountsReply extends Reply({
  critical: field.count(),
  warning: field.count(),
  info: field.count(),
}) {}

export class PlacementTestReply extends Reply({
  id: field.id(),
  status: field.oneOf(TEST_STATES),
  name: field.textOrNull(),
  send_to: field.texts('Send one mail to all of these: ours first, then the seeds.'),
  marker: field.one(MarkerReply, 'Not needed at our address; seeds know the mail by it.'),
  seeds: field.of<unknown>({
    type: Object,
    oneOf: [
      { type: 'string', enum: ['all', 'none'] },
      { type: 'array', items: { type: 'string' } },
    ],
    description: '`none` where no mailbox of those wanted could be used.',
  }),
  created_at: field.time(),
  expires_at: field.time(),
  first_arrival_at: field.timeOrNull(),
  settled_at: field.timeOrNull(),
  messages: field.count('Mails that came to our address; the first is judged.'),
  placement: field.oneOrNull(SeedPlacementReply, 'Null: without seeds.'),
  report: field.oneOrNull(PlacementReportReply, 'Null: nothing has come yet, or no report could be made.'),
  credits_charged: field.count(),
  credits_reserved: field.count('Held until the test ends.'),
}) {}

export class PlacementTestRowReply extends Reply({
  id: field.id(),
  status: field.oneOf(TEST_STATES),
  name: field.textOrNull(),
  placement: field.oneOrNull(PlacementCountsReply, 'Null: without seeds, or the test has not ended.'),
  findings: field.one(FindingCountsReply),
  credits_charged: field.count(),
  created_at: field.time(),
  settled_at: field.timeOrNull(),
}) {}

export class PlacementTestPageReply extends PageOf(PlacementTestRowReply, 'tests') {}

class BeforeAfterReply extends Reply({
  what: field.text({ example: 'dmarc' }),
  before: field.textOrNull(),
  after: field.textOrNull(),
}) {}

class ProviderDiffReply extends Reply({
  provider: field.text({ example: 'gmail' }),
  before: field.oneOrNull(PlacementCountsReply),
  after: field.oneOrNull(PlacementCountsReply),
}) {}

class FindingsDiffReply extends Reply({
  opened: field.listOf(ReportFindingReply, 'In the later one only.'),
  resolved: field.listOf(ReportFindingReply, 'In the earlier one only.'),
  kept: field.texts('Codes of findings in both.'),
}) {}

export class PlacementDiffReply extends Reply({
  from: field.id(),
  to: field.id(),
  placement: field.listOf(ProviderDiffReply, 'Providers whose counts differ.'),
  authentication: field.listOf(BeforeAfterReply, 'Results that differ.'),
  findings: field.one(FindingsDiffReply),
}) {}

export class AnalysisReply extends Extended(PlacementReportReply, {
  status: field.oneOf(['completed']),
  credits_charged: field.count(),
  latency_ms: field.count(),
  request_id: field.text(),
}) {}

/** A seed as it is answered. */
export function seedReply(seed: SeedStatus): SeedReply {
  const { provider, placement, tab, arrivedAfterS, matchedBy, authentication } = seed;
  return { provider, placement, tab, arrived_after_s: arrivedAfterS, matched_by: matchedBy, authentication };
}

export function providerReply({ seeds, ...counts }: ProviderPlacement): ProviderPlacementReply {
  return { ...counts, seeds: seeds.map(seedReply) };
}
