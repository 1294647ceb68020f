import { ApiProperty } from '@nestjs/swagger';
import type { Usage, UsageLine } from './usage.service.js';
import { INTEGER } from '../../platform/http/schemas.js';

const REFUSED = (status: number) =>
  ({
    type: 'integer',
    nullable: true,
    description: `Requests refused with ${status}; null by verdict, reason and endpoint, which they do not have.`,
  }) as const;

class UsageCounts {
  @ApiProperty({ ...INTEGER, description: 'Distinct addresses or people that were answered.' })
  readonly items: number;

  @ApiProperty({ ...INTEGER, description: 'Charged to the balance: over all days what the ledger charges.' })
  readonly credits: number;

  @ApiProperty({ ...INTEGER, description: 'Charged to the free credits of an agent.' })
  readonly free_credits: number;

  @ApiProperty(REFUSED(402))
  readonly refused_402: number | null;

  @ApiProperty(REFUSED(429))
  readonly refused_429: number | null;
}

export class UsageRowReply extends UsageCounts {
  @ApiProperty({ description: 'The day, the id of the key, the verdict, the reason or the endpoint.' })
  readonly value: string;
}

export class UsageReply {
  @ApiProperty({ format: 'date' })
  readonly from: string;

  @ApiProperty({ format: 'date' })
  readonly to: string;

  @ApiProperty()
  readonly by: string;

  @ApiProperty({ type: [UsageRowReply] })
  readonly usage: readonly UsageRowReply[];

  @ApiProperty({ type: UsageCounts })
  readonly total: UsageCounts;
}

export function usageReply({ period, by, lines, total }: Usage): UsageReply {
  const usage = lines.map((line) => ({ value: line.value, ...countsOf(line) }));
  return { ...period, by, usage, total: countsOf(total) };
}

const CSV_COLUMNS = ['items', 'credits', 'free_credits', 'refused_402', 'refused_429'] as const;

/** Values are days, ids and words of fixed vocabularies, none of which needs quotes. */
export function usageCsv(usage: Usage): string {
  const { by, usage: rows } = usageReply(usage);
  const lines = rows.map((row) => [row.value, ...CSV_COLUMNS.map((name) => row[name] ?? '')].join(','));
  return [[by, ...CSV_COLUMNS].join(','), ...lines, ''].join('\r\n');
}

function countsOf(line: Omit<UsageLine, 'value'>) {
  return {
    items: line.items,
    credits: line.credits,
    free_credits: line.freeCredits,
    refused_402: line.refused402,
    refused_429: line.refused429,
  };
}
