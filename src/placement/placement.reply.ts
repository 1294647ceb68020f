import { ApiProperty } from '@nestjs/swagger';
import { PageOf } from '../platform/http/page.js';
import { TIME_OR_NULL, COUNT, ID_SCHEMA, TEXT_OR_NULL } from '../platform/http/schemas.js';
import { TEST_STATES, PLACEMENTS, type ProviderPlacement, type SeedStatus } from './placement-test.js';
import { PlacementReportReply, ReportFindingReply } from './report.reply.js';

class SeedAuthenticationReply {
  @ApiProperty(TEXT_OR_NULL)
  readonly spf: string | null;
  @ApiProperty(TEXT_OR_NULL)
  readonly dkim: string | null;
  @ApiProperty(TEXT_OR_NULL)
  readonly dmarc: string | null;
}

class SeedReply {
  @ApiProperty({ example: 'gmail' })
  readonly provider: string;
  @ApiProperty({ enum: PLACEMENTS, description: '`seed_error`: we could not look, so it counts nowhere.' })
  readonly placement: string;
  @ApiProperty({ ...TEXT_OR_NULL, example: 'promotions' })
  readonly tab: string | null;
  @ApiProperty({ ...COUNT, nullable: true })
  readonly arrived_after_s: number | null;
  @ApiProperty({ ...TEXT_OR_NULL, example: 'header', description: 'By what the mail was known.' })
  readonly matched_by: string | null;
  @ApiProperty({ type: SeedAuthenticationReply, nullable: true })
  readonly authentication: SeedAuthenticationReply | null;
}

class PlacementCountsReply {
  @ApiProperty({ ...COUNT, description: 'Seeds with an outcome; rates are over these.' })
  readonly measured: number;
  @ApiProperty(COUNT)
  readonly inbox: number;
  @ApiProperty({ ...COUNT, description: 'A kind of inbox.' })
  readonly tab: number;
  @ApiProperty(COUNT)
  readonly spam: number;
  @ApiProperty(COUNT)
  readonly other_folder: number;
  @ApiProperty(COUNT)
  readonly missing: number;
  @ApiProperty(COUNT)
  readonly pending: number;
  @ApiProperty(COUNT)
  readonly seed_error: number;
}

class ProviderPlacementReply extends PlacementCountsReply {
  @ApiProperty({ example: 'gmail' })
  readonly provider: string;
  @ApiProperty({ type: [SeedReply] })
  readonly seeds: readonly SeedReply[];
}

export class SeedPlacementReply extends PlacementCountsReply {
  @ApiProperty({ type: [ProviderPlacementReply] })
  readonly providers: readonly ProviderPlacementReply[];
  @ApiProperty()
  readonly note: string;
}

class MarkerReply {
  @ApiProperty({ example: 'X-Mailsonde-Test: 7q2k6mz4c3x5abcd' })
  readonly header: string;
  @ApiProperty({ example: 'mailsonde-test: 7q2k6mz4c3x5abcd' })
  readonly body_line: string;
}

class FindingCountsReply {
  @ApiProperty(COUNT)
  readonly critical: number;
  @ApiProperty(COUNT)
  readonly warning: number;
  @ApiProperty(COUNT)
  readonly info: number;
}

export class PlacementTestReply {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;
  @ApiProperty({ enum: TEST_STATES })
  readonly status: string;
  @ApiProperty(TEXT_OR_NULL)
  readonly name: string | null;
  @ApiProperty({ type: [String], description: 'Send one mail to all of these: ours first, then the seeds.' })
  readonly send_to: readonly string[];
  @ApiProperty({ type: MarkerReply, description: 'Not needed at our address; seeds know the mail by it.' })
  readonly marker: MarkerReply;
  @ApiProperty({
    oneOf: [
      { type: 'string', enum: ['all', 'none'] },
      { type: 'array', items: { type: 'string' } },
    ],
    description: '`none` where no mailbox of those wanted could be used.',
  })
  readonly seeds: unknown;
  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;
  @ApiProperty({ format: 'date-time' })
  readonly expires_at: string;
  @ApiProperty(TIME_OR_NULL)
  readonly first_arrival_at: string | null;
  @ApiProperty(TIME_OR_NULL)
  readonly settled_at: string | null;
  @ApiProperty({ ...COUNT, description: 'Mails that came to our address; the first is judged.' })
  readonly messages: number;
  @ApiProperty({ type: SeedPlacementReply, nullable: true, description: 'Null: without seeds.' })
  readonly placement: SeedPlacementReply | null;
  @ApiProperty({
    type: PlacementReportReply,
    nullable: true,
    description: 'Null: nothing has come yet, or no report could be made.',
  })
  readonly report: PlacementReportReply | null;
  @ApiProperty(COUNT)
  readonly credits_charged: number;
  @ApiProperty({ ...COUNT, description: 'Held until the test ends.' })
  readonly credits_reserved: number;
}

export class PlacementTestRowReply {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;
  @ApiProperty({ enum: TEST_STATES })
  readonly status: string;
  @ApiProperty(TEXT_OR_NULL)
  readonly name: string | null;
  @ApiProperty({ type: FindingCountsReply })
  readonly findings: FindingCountsReply;
  @ApiProperty(COUNT)
  readonly credits_charged: number;
  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;
  @ApiProperty(TIME_OR_NULL)
  readonly settled_at: string | null;
}

export class PlacementTestPageReply extends PageOf(PlacementTestRowReply, 'tests') {}

class BeforeAfterReply {
  @ApiProperty({ example: 'dmarc' })
  readonly what: string;
  @ApiProperty(TEXT_OR_NULL)
  readonly before: string | null;
  @ApiProperty(TEXT_OR_NULL)
  readonly after: string | null;
}

class ProviderDiffReply {
  @ApiProperty({ example: 'gmail' })
  readonly provider: string;
  @ApiProperty({ type: PlacementCountsReply, nullable: true })
  readonly before: PlacementCountsReply | null;
  @ApiProperty({ type: PlacementCountsReply, nullable: true })
  readonly after: PlacementCountsReply | null;
}

class FindingsDiffReply {
  @ApiProperty({ type: [ReportFindingReply], description: 'In the later one only.' })
  readonly opened: readonly ReportFindingReply[];
  @ApiProperty({ type: [ReportFindingReply], description: 'In the earlier one only.' })
  readonly resolved: readonly ReportFindingReply[];
  @ApiProperty({ type: [String], description: 'Codes of findings in both.' })
  readonly kept: readonly string[];
}

export class PlacementDiffReply {
  @ApiProperty(ID_SCHEMA)
  readonly from: number;
  @ApiProperty(ID_SCHEMA)
  readonly to: number;
  @ApiProperty({ type: [ProviderDiffReply], description: 'Providers whose counts differ.' })
  readonly placement: readonly ProviderDiffReply[];
  @ApiProperty({ type: [BeforeAfterReply], description: 'Results that differ.' })
  readonly authentication: readonly BeforeAfterReply[];
  @ApiProperty({ type: FindingsDiffReply })
  readonly findings: FindingsDiffReply;
}

export class AnalysisReply extends PlacementReportReply {
  @ApiProperty({ enum: ['completed'] })
  readonly status: string;
  @ApiProperty(COUNT)
  readonly credits_charged: number;
  @ApiProperty(COUNT)
  readonly latency_ms: number;
  @ApiProperty()
  readonly request_id: string;
}

/** A seed as it is answered. */
export function seedReply(seed: SeedStatus): SeedReply {
  const { provider, placement, tab, arrivedAfterS, matchedBy, authentication } = seed;
  return { provider, placement, tab, arrived_after_s: arrivedAfterS, matched_by: matchedBy, authentication };
}

export function providerReply({ seeds, ...counts }: ProviderPlacement): ProviderPlacementReply {
  return { ...counts, seeds: seeds.map(seedReply) };
}
