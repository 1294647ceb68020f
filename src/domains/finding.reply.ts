import { ApiProperty } from '@nestjs/swagger';
import { FINDING_AREAS } from '../engine/domain/finding.js';
import { TEXT_OR_NULL } from '../platform/http/schemas.js';

export class DnsFixReply {
  @ApiProperty({ enum: ['dns', 'file'], description: '`file`: what a web server gives, at the URL `name`.' })
  readonly kind: string;

  @ApiProperty({ enum: ['add', 'replace', 'remove'] })
  readonly action: string;

  @ApiProperty({ example: '_dmarc.example.com.' })
  readonly name: string;

  @ApiProperty({ enum: ['TXT', 'MX', 'PTR', 'TLSA', 'file'] })
  readonly type: string;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'What stands there now, a line for each record.' })
  readonly current: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'The record to publish; `null`: nothing takes its place.' })
  readonly value: string | null;

  @ApiProperty()
  readonly why: string;

  @ApiProperty({
    enum: ['certain', 'needs_you'],
    description:
      '`certain`: it was judged, and nothing gets worse by it. `needs_you`: it has a value that only you know (`<…>`), a choice that only you may make, or `why` says what else it does.',
  })
  readonly confidence: string;
}

/** What findings have in common. @param subject what they are about */
export function findingFields(areas: readonly string[], subject: string) {
  class Fields {
    @ApiProperty({ example: 'dmarc_missing', description: 'Stable.' })
    readonly code: string;

    @ApiProperty({ enum: areas })
    readonly area: string;

    @ApiProperty({ enum: ['critical', 'warning', 'info'] })
    readonly severity: string;

    @ApiProperty({ description: subject })
    readonly subject: string;

    @ApiProperty()
    readonly explanation: string;

    @ApiProperty({ type: 'object', additionalProperties: true, description: 'What it was seen by.' })
    readonly evidence: Readonly<Record<string, unknown>>;

    @ApiProperty({ type: DnsFixReply, nullable: true })
    readonly fix: DnsFixReply | null;

    @ApiProperty({ ...TEXT_OR_NULL, example: 'RFC 9989' })
    readonly rfc: string | null;
  }
  return Fields;
}

export class DomainFindingReply extends findingFields(
  FINDING_AREAS,
  'The domain, a mail host, an address or a selector.',
) {}

export class FoundRecordReply {
  @ApiProperty({ enum: FINDING_AREAS })
  readonly area: string;

  @ApiProperty({ example: 'example.com.' })
  readonly name: string;

  @ApiProperty({ enum: ['MX', 'NS', 'PTR', 'TXT', 'TLSA'] })
  readonly type: string;

  @ApiProperty()
  readonly value: string;
}
