import { ApiProperty } from '@nestjs/swagger';
import { FINDING_AREAS } from '../engine/domain/finding.js';
import { PageOf } from '../platform/http/page.js';
import type { DomainResult, SpfTerm } from './domain-result.js';
import { DomainFindingReply, FoundRecordReply } from './finding.reply.js';
import { COUNT, ID_SCHEMA, TEXT_OR_NULL } from '../platform/http/schemas.js';

const STATE = {
  enum: ['ok', 'warning', 'critical', 'unknown'],
  description: 'The worst finding; `unknown`: nothing critical was found, and the DNS left a question open.',
} as const;

export class EncryptionReply {
  @ApiProperty({ example: 'mx1.example.com' })
  readonly host: string;

  @ApiProperty({
    enum: ['encrypted', 'not_offered', 'failed', 'unknown'],
    description: '`unknown`: it could not be looked at, which is no finding.',
  })
  readonly outcome: string;

  @ApiProperty({
    ...TEXT_OR_NULL,
    description:
      'What failed; of `unknown` one of `no_answer`, `port25_blocked`, `refused_us`, `not_public` and `left_alone`.',
  })
  readonly why: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, example: 'TLSv1.3' })
  readonly protocol: string | null;

  @ApiProperty({ type: [String], description: 'The names that its certificate is for.' })
  readonly names: readonly string[];

  @ApiProperty(TEXT_OR_NULL)
  readonly issuer: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, format: 'date-time', description: 'The end of its certificate.' })
  readonly expires_at: string | null;

  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: 'Whether an authority that this service trusts vouches for its certificate.',
  })
  readonly is_trusted: boolean | null;
}

export class DomainRegistrationReply {
  @ApiProperty({
    enum: ['found', 'unknown'],
    description: '`unknown`: the registry has not said, which is no finding.',
  })
  readonly status: string;

  @ApiProperty({
    ...TEXT_OR_NULL,
    description:
      'Of `unknown` one of `no_rdap` (the registry tells nobody), `not_known`, `rate_limited`, `no_answer` and `unreadable`.',
  })
  readonly why: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'The domain that is registered: this one, or one above it.' })
  readonly domain: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, format: 'date-time' })
  readonly expires_at: string | null;

  @ApiProperty({ type: [String], example: ['client transfer prohibited'] })
  readonly statuses: readonly string[];

  @ApiProperty(TEXT_OR_NULL)
  readonly registrar: string | null;

  @ApiProperty({ type: [String] })
  readonly name_servers: readonly string[];
}

const FETCHED = { enum: ['found', 'failed', 'unknown'], nullable: true, description: '`null`: not fetched.' } as const;

export class MarkReply {
  @ApiProperty({ example: 'default._bimi.example.com', description: 'Where the record stands.' })
  readonly name: string;

  @ApiProperty(TEXT_OR_NULL)
  readonly logo_url: string | null;

  @ApiProperty({ type: String, ...FETCHED })
  readonly logo: string | null;

  @ApiProperty(TEXT_OR_NULL)
  readonly certificate_url: string | null;

  @ApiProperty({ type: String, ...FETCHED })
  readonly certificate: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, format: 'date-time' })
  readonly certificate_expires_at: string | null;
}

export class SpfTermReply {
  @ApiProperty({ ...COUNT, description: "0 in the domain's own record, one more for each record on the way." })
  readonly depth: number;

  @ApiProperty({ example: 'include:_spf.example.net' })
  readonly term: string;

  @ApiProperty()
  readonly domain: string;

  @ApiProperty({ ...COUNT, description: 'Of this term and of everything below it.' })
  readonly lookups: number;

  @ApiProperty({ description: 'The name that it asks for does not exist.' })
  readonly void: boolean;

  @ApiProperty({
    enum: ['missing', 'multiple', 'syntax', 'unanswered', 'circle', 'too_many_mail_hosts'],
    type: String,
    nullable: true,
  })
  readonly problem: SpfTerm['problem'];
}

export class FindingCountsReply {
  @ApiProperty(COUNT)
  readonly critical: number;

  @ApiProperty(COUNT)
  readonly warning: number;

  @ApiProperty(COUNT)
  readonly info: number;
}

export class DomainCheckReply {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;

  @ApiProperty({ enum: ['completed'] })
  readonly status: string;

  @ApiProperty()
  readonly domain: string;

  @ApiProperty(STATE)
  readonly state: DomainResult['state'];

  @ApiProperty({ type: FindingCountsReply })
  readonly counts: FindingCountsReply;

  @ApiProperty({ type: [DomainFindingReply], description: 'The worst first.' })
  readonly findings: readonly DomainFindingReply[];

  @ApiProperty({ type: [FoundRecordReply], description: 'What was found.' })
  readonly records: readonly FoundRecordReply[];

  @ApiProperty({ ...COUNT, description: 'DNS look-ups that its SPF record costs; receivers make 10.' })
  readonly spf_lookups: number;

  @ApiProperty({
    type: [SpfTermReply],
    description: 'Its terms that ask the DNS, each before those of the record that it names: a tree by `depth`.',
  })
  readonly spf_terms: readonly SpfTermReply[];

  @ApiProperty({ enum: ['secure', 'insecure', 'bogus', 'unknown'] })
  readonly dnssec: string;

  @ApiProperty({ type: [EncryptionReply], description: 'How each mail host that was looked at encrypts.' })
  readonly starttls: readonly EncryptionReply[];

  @ApiProperty({ type: DomainRegistrationReply, nullable: true, description: '`null`: nobody was asked.' })
  readonly registration: DomainRegistrationReply | null;

  @ApiProperty({ type: MarkReply, nullable: true, description: '`null`: there is no record, or nobody asked for it.' })
  readonly bimi: MarkReply | null;

  @ApiProperty({
    type: [String],
    description: 'Names for which the DNS did not answer, and URLs of others that did not: nothing is said of them.',
  })
  readonly unanswered: readonly string[];

  @ApiProperty({
    enum: FINDING_AREAS,
    isArray: true,
    description: 'Areas in which the DNS left a question open: they may be worse than the findings say.',
  })
  readonly unknown_areas: readonly string[];

  @ApiProperty(COUNT)
  readonly credits_charged: number;

  @ApiProperty(COUNT)
  readonly latency_ms: number;

  @ApiProperty({ format: 'date-time' })
  readonly checked_at: string;

  @ApiProperty()
  readonly request_id: string;
}

export class KeptDomainCheckReply {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;

  @ApiProperty()
  readonly domain: string;

  @ApiProperty(STATE)
  readonly state: DomainResult['state'];

  @ApiProperty({ type: FindingCountsReply })
  readonly counts: FindingCountsReply;

  @ApiProperty(COUNT)
  readonly credits_charged: number;

  @ApiProperty({ format: 'date-time' })
  readonly checked_at: string;
}

export class DomainCheckPageReply extends PageOf(KeptDomainCheckReply, 'checks') {}
