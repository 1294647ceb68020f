import { ApiProperty } from '@nestjs/swagger';
import { findingFields, FoundRecordReply } from '../../domains/finding.reply.js';
import { PageOf } from '../../platform/http/page.js';
import { MONITOR_AREAS, RUN_CAUSES, RUN_STATES } from '../findings/monitor-run.js';
import { COUNT, ID_SCHEMA, TEXT_OR_NULL } from '../../platform/http/schemas.js';

export class MonitorRunReply {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;

  @ApiProperty(ID_SCHEMA)
  readonly monitor_id: number;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Which run of the monitor it is.' })
  readonly number: number;

  @ApiProperty({ enum: RUN_CAUSES })
  readonly cause: string;

  @ApiProperty({ enum: RUN_STATES })
  readonly state: string;

  @ApiProperty({ description: 'Whether everything that decides about the state was answered.' })
  readonly answered: boolean;

  @ApiProperty({ description: 'Whether facts or findings are others than those of the run before.' })
  readonly changed: boolean;

  @ApiProperty(COUNT)
  readonly opened: number;

  @ApiProperty(COUNT)
  readonly resolved: number;

  @ApiProperty(COUNT)
  readonly credits_charged: number;

  @ApiProperty({ format: 'date-time' })
  readonly started_at: string;

  @ApiProperty({ format: 'date-time' })
  readonly finished_at: string;
}

export class MonitorRunPageReply extends PageOf(MonitorRunReply, 'runs') {}

export class ListFactReply {
  @ApiProperty({ example: 'psbl' })
  readonly list: string;

  @ApiProperty()
  readonly target: string;

  @ApiProperty({ description: 'As in a check of block lists.', example: 'not_listed' })
  readonly status: string;

  @ApiProperty(TEXT_OR_NULL)
  readonly why: string | null;
}

export class MonitorFactsReply {
  @ApiProperty({ type: [FoundRecordReply] })
  readonly records: readonly FoundRecordReply[];

  @ApiProperty({ ...COUNT, nullable: true })
  readonly spf_lookups: number | null;

  @ApiProperty({ enum: ['secure', 'insecure', 'bogus', 'unknown'], type: String, nullable: true })
  readonly dnssec: string | null;

  @ApiProperty({ type: [ListFactReply] })
  readonly blacklists: readonly ListFactReply[];

  @ApiProperty({
    type: [String],
    description:
      'Names that the DNS did not answer for, and block lists that did not, each with its target: what is shown of them is from the run before.',
  })
  readonly unanswered: readonly string[];
}

export class SeenFindingReply extends findingFields(
  MONITOR_AREAS,
  'The domain, a mail host, an address or a selector; of a listing the list and the target.',
) {}

export class MonitorRunWithResultReply extends MonitorRunReply {
  @ApiProperty({ type: MonitorFactsReply })
  readonly facts: MonitorFactsReply;

  @ApiProperty({ type: [SeenFindingReply], description: 'The worst first, as the run saw them.' })
  readonly findings: readonly SeenFindingReply[];
}

export class ChangedRecordReply {
  @ApiProperty({ example: 'example.com.' })
  readonly name: string;

  @ApiProperty({ enum: ['MX', 'NS', 'PTR', 'TXT', 'TLSA'] })
  readonly type: string;

  @ApiProperty({ type: [String] })
  readonly before: readonly string[];

  @ApiProperty({ type: [String] })
  readonly after: readonly string[];
}

export class ChangedListingReply {
  @ApiProperty()
  readonly list: string;

  @ApiProperty()
  readonly target: string;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'Null: it was not asked.' })
  readonly before: string | null;

  @ApiProperty(TEXT_OR_NULL)
  readonly after: string | null;
}

export class MonitorDiffReply {
  @ApiProperty(ID_SCHEMA)
  readonly from: number;

  @ApiProperty(ID_SCHEMA)
  readonly to: number;

  @ApiProperty({ type: [FoundRecordReply] })
  readonly records_added: readonly FoundRecordReply[];

  @ApiProperty({ type: [FoundRecordReply] })
  readonly records_removed: readonly FoundRecordReply[];

  @ApiProperty({ type: [ChangedRecordReply], description: 'Names and types that have records in both, and others.' })
  readonly records_changed: readonly ChangedRecordReply[];

  @ApiProperty({ type: [ChangedListingReply] })
  readonly listings_changed: readonly ChangedListingReply[];

  @ApiProperty({ type: [SeenFindingReply], description: 'Seen by the second and not by the first.' })
  readonly findings_opened: readonly SeenFindingReply[];

  @ApiProperty({ type: [SeenFindingReply] })
  readonly findings_resolved: readonly SeenFindingReply[];
}
