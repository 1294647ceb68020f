import { ApiProperty } from '@nestjs/swagger';
import type { FindingReason } from '../engine/finder/finding.js';
import { ALL_REASONS, ChecksBody, EvidenceBody, VERDICTS } from '../presenting/verification.reply.js';

/* What is answered to searches, for the documents. */

const OWN_REASONS = [
  'shared_local_part',
  'catch_all_undetermined',
  'no_candidate_exists',
  'name_unreadable',
  'suppressed',
  'public_mail_domain',
  'domain_unreadable',
] satisfies readonly FindingReason[];
const PATTERN = { type: String, example: '{first}.{last}' } as const;
const CONFIDENCE = { minimum: 0, maximum: 1 } as const;

export class AlternativeBody {
  @ApiProperty()
  readonly email: string;

  @ApiProperty(PATTERN)
  readonly pattern: string;

  @ApiProperty({ ...CONFIDENCE, description: "How likely it is the person's address." })
  readonly confidence: number;
}

export class TriedBody extends EvidenceBody {
  @ApiProperty()
  readonly email: string;

  @ApiProperty(PATTERN)
  readonly pattern: string;

  @ApiProperty({ enum: VERDICTS })
  readonly verdict: string;

  @ApiProperty({ enum: ALL_REASONS })
  readonly reason: string;
}

export class FindingEvidenceBody {
  @ApiProperty({ type: [TriedBody], description: 'In the order asked, each with what the server said.' })
  readonly tried: readonly TriedBody[];

  @ApiProperty({ type: 'integer', description: 'Addresses of the domain whose pattern was known.' })
  readonly known_addresses: number;

  @ApiProperty({ type: 'integer', description: 'Those of them that have `pattern`.' })
  readonly known_of_pattern: number;
}

export class FindingReply {
  @ApiProperty({ type: String, nullable: true, description: 'Null when nobody was found.' })
  readonly email: string | null;

  @ApiProperty({ enum: VERDICTS, description: '`unknown`: the address is a guess that nobody could confirm.' })
  readonly verdict: string;

  @ApiProperty({ ...CONFIDENCE, description: "How likely the address is the person's; without one, how sure that is." })
  readonly confidence: number;

  @ApiProperty({ ...PATTERN, nullable: true })
  readonly pattern: string | null;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 12 })
  readonly candidates_tried: number;

  @ApiProperty({ type: [AlternativeBody], maxItems: 3 })
  readonly alternatives: readonly AlternativeBody[];

  @ApiProperty({ type: ChecksBody })
  readonly checks: ChecksBody;

  @ApiProperty({ type: 'integer', description: '1 when an address was found, `valid` or `risky`; else 0.' })
  readonly credits_charged: number;

  @ApiProperty({ type: 'integer' })
  readonly latency_ms: number;

  @ApiProperty({ enum: [...ALL_REASONS, ...OWN_REASONS] })
  readonly reason: string;

  @ApiProperty({ description: 'The mail domain that was searched, in A-labels.' })
  readonly domain: string;

  @ApiProperty({ type: String, nullable: true, description: "The mail operator's name." })
  readonly provider: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly mx_host: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Seconds until a later try may settle an `unknown`.' })
  readonly retry_after: number | null;

  @ApiProperty({ type: FindingEvidenceBody })
  readonly evidence: FindingEvidenceBody;

  @ApiProperty()
  readonly request_id: string;
}
