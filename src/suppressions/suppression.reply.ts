import { ApiProperty } from '@nestjs/swagger';
import { type Page, PageOf, pageReply } from '../platform/http/page.js';
import type { Added, Suppression } from './suppressions.service.js';

/** The id of a suppression in paths. */
export const SUPPRESSION_ID = {
  name: 'id',
  schema: { type: 'string' },
  description: 'The address, or its SHA-256 in hexadecimal, which leaves no address in logs.',
} as const;

export class SuppressionReply {
  @ApiProperty({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the address; the address itself is not kept.' })
  readonly id: string;

  @ApiProperty({ type: String, nullable: true })
  readonly reason: string | null;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;
}

export class SuppressedReply {
  @ApiProperty({ type: 'integer', description: 'How many of them were not on the list before.' })
  readonly added: number;

  @ApiProperty({ type: [SuppressionReply] })
  readonly suppressions: readonly SuppressionReply[];
}

export class SuppressionPageReply extends PageOf(SuppressionReply, 'suppressions') {}

export class SuppressionSettingsReply {
  @ApiProperty({ description: 'Verifications say `suppressed` for each address.' })
  readonly report_in_verify: boolean;
}

export function suppressionReply({ hash, reason, createdAt }: Suppression): SuppressionReply {
  return { id: hash.toString('hex'), reason, created_at: createdAt.toISOString() };
}

export function suppressedReply({ added, suppressions }: Added): SuppressedReply {
  return { added, suppressions: suppressions.map(suppressionReply) };
}

export const suppressionPageReply = (page: Page<Suppression>): SuppressionPageReply =>
  pageReply('suppressions', page, suppressionReply);
