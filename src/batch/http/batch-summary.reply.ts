import { ApiProperty } from '@nestjs/swagger';
import { VerdictCounts } from './batch.reply.js';
import { type BatchSummary, type CountsByVerdict, MAX_NAMED } from '../results/batch-summary.service.js';
import { ID_SCHEMA } from '../../platform/http/schemas.js';

const ROWS = { type: 'integer', minimum: 0, description: 'Repeated addresses as often as they were sent.' } as const;

export class ReasonCountReply {
  @ApiProperty({ example: 'mailbox_full' })
  readonly reason: string;

  @ApiProperty({ enum: ['valid', 'invalid', 'risky', 'unknown'] })
  readonly verdict: string;

  @ApiProperty(ROWS)
  readonly rows: number;
}

export class DomainCountReply {
  @ApiProperty({ example: 'example.com' })
  readonly domain: string;

  @ApiProperty(ROWS)
  readonly rows: number;

  @ApiProperty({ type: VerdictCounts })
  readonly counts: VerdictCounts;
}

export class ProviderCountReply {
  @ApiProperty({ type: String, nullable: true, description: 'Null: of no mail operator that has a name here.' })
  readonly provider: string | null;

  @ApiProperty(ROWS)
  readonly rows: number;

  @ApiProperty({ type: VerdictCounts })
  readonly counts: VerdictCounts;
}

export class BatchSummaryReply {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Rows that are answered.' })
  readonly processed: number;

  @ApiProperty({ type: [ReasonCountReply], description: 'Every reason that a row has, the most frequent first.' })
  readonly reasons: readonly ReasonCountReply[];

  @ApiProperty({
    type: [DomainCountReply],
    maxItems: MAX_NAMED,
    description: 'Those with the most rows first. Rows without an address have none.',
  })
  readonly domains: readonly DomainCountReply[];

  @ApiProperty({ type: 'integer', minimum: 0, description: 'How many different domains the rows have.' })
  readonly domains_total: number;

  @ApiProperty({ type: [ProviderCountReply], maxItems: MAX_NAMED, description: 'Those with the most rows first.' })
  readonly providers: readonly ProviderCountReply[];
}

export class PeopleSummaryReply extends BatchSummaryReply {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Rows whose person was found: `valid` or `risky`.' })
  readonly found: number;
}

export function peopleSummaryReply(id: number, summary: BatchSummary): PeopleSummaryReply {
  const found = summary.reasons.filter(({ verdict }) => verdict === 'valid' || verdict === 'risky');
  return { ...batchSummaryReply(id, summary), found: found.reduce((sum, { rows }) => sum + rows, 0) };
}

export function batchSummaryReply(id: number, summary: BatchSummary) {
  return {
    id,
    processed: summary.rows,
    reasons: summary.reasons,
    domains: summary.domains.map((one) => ({ domain: one.domain, rows: one.rows, counts: countsOf(one) })),
    domains_total: summary.allDomains,
    providers: summary.providers.map((one) => ({ provider: one.provider, rows: one.rows, counts: countsOf(one) })),
  } satisfies BatchSummaryReply;
}

function countsOf({ valid, invalid, risky, unknown }: CountsByVerdict): VerdictCounts {
  return { valid, invalid, risky, unknown };
}
