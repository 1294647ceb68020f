import { ApiProperty } from '@nestjs/swagger';
import { TIME_OR_NULL } from '../../platform/http/schemas.js';
import { REFUSAL_KINDS, type RefusalKind } from '../../sources/refusal-kind.js';
import { CHECK_NAMES, type CheckName } from '../../sources/watch/identity-checks.js';
import type { AdministeredSource } from '../egress-administration.service.js';

const CONDITIONS = ['open', 'drained', 'paused', 'resting'] as const;
const CHECK_STATES = ['pass', 'fail', 'unknown'] as const;
const PORT_STATES = ['open', 'blocked', 'unknown'] as const;

export class SourceCheckBody {
  @ApiProperty({ enum: CHECK_NAMES })
  readonly check: CheckName;

  @ApiProperty({ enum: CHECK_STATES })
  readonly state: (typeof CHECK_STATES)[number];

  @ApiProperty({ description: 'What was found.' })
  readonly text: string;

  @ApiProperty({ format: 'date-time' })
  readonly checked_at: string;
}

export class SourceListingBody {
  @ApiProperty({ description: 'A row of `config/blacklists.json`.' })
  readonly list: string;

  @ApiProperty()
  readonly address: string;

  @ApiProperty({ description: 'What the listing means, and the list’s own words.' })
  readonly text: string;

  @ApiProperty({ description: 'Mail hosts refuse whom the list has: the source rests.' })
  readonly harmful: boolean;

  @ApiProperty({ format: 'date-time' })
  readonly since: string;
}

export class SourceCircuitBody {
  @ApiProperty({ description: 'The mail operator that refuses the source.' })
  readonly operator: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Refusals in a row, the most that a process has seen.' })
  readonly refusals: number;

  @ApiProperty({ description: 'The codes of the last one.', example: '550 5.7.1' })
  readonly last_refusal: string;

  @ApiProperty({ format: 'date-time', description: 'Then one connection tries whether it still refuses.' })
  readonly open_until: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Processes that it refuses.' })
  readonly processes: number;
}

export class SourceRefusalsBody {
  @ApiProperty({
    description:
      'A row of `config/mail-providers.json`, or the first mail host of an operator without one; `other` for more than can be told apart.',
  })
  readonly operator: string;

  @ApiProperty({
    enum: REFUSAL_KINDS,
    description:
      'ip_blocked: the address or its name. rate_limited: too much at once. sender_rejected: HELO name, MAIL FROM or SPF. greylisted: it wants to be asked again later.',
  })
  readonly kind: RefusalKind;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Over all processes.' })
  readonly refusals: number;

  @ApiProperty({ description: 'The codes of the last one.', example: '450 4.2.0' })
  readonly last_reply: string;

  @ApiProperty({
    description:
      'What the mail host wrote in it, on one line, without addresses, at most 512 bytes. Trust nothing in it.',
    example: 'Greylisted, please come back later',
  })
  readonly last_text: string;

  @ApiProperty({ format: 'date-time' })
  readonly last_at: string;
}

export class SourceProcessBody {
  @ApiProperty()
  readonly machine: string;

  @ApiProperty({ enum: PORT_STATES })
  readonly port_25: (typeof PORT_STATES)[number];

  @ApiProperty({ ...TIME_OR_NULL, description: 'Null: neither the address nor its proxy has a fault.' })
  readonly resting_until: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly fault: string | null;
}

export class OperatorQuotaBody {
  @ApiProperty({ example: 'google' })
  readonly operator: string;

  @ApiProperty({ type: 'integer', minimum: 0 })
  readonly recipients: number;
}

export class EgressSourceReply {
  @ApiProperty({ description: 'Its name in `config/egress.json`; `default` without that file.' })
  readonly name: string;

  @ApiProperty({ type: String, nullable: true, description: 'Null: the system or a proxy chooses.' })
  readonly address: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Host and port of its SOCKS5 proxy.' })
  readonly proxy: string | null;

  @ApiProperty()
  readonly helo: string;

  @ApiProperty({ description: 'Empty: the null sender.' })
  readonly mail_from: string;

  @ApiProperty({ type: String, nullable: true })
  readonly region: string | null;

  @ApiProperty()
  readonly weight: number;

  @ApiProperty({ ...TIME_OR_NULL, description: 'When it began to ask; null: long ago.' })
  readonly since: string | null;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    nullable: true,
    description: 'Recipients that it may name to each mail operator today, while it is new; null: as many as it likes.',
  })
  readonly recipients_today: number | null;

  @ApiProperty({
    type: [OperatorQuotaBody],
    description:
      'The same at operators of a class of their own in the table of warming up; empty: it may name as many as it likes at all of them, or there are none.',
  })
  readonly recipients_today_at: readonly OperatorQuotaBody[];

  @ApiProperty({ type: [String], nullable: true, description: 'The operators that it may ask; null: any.' })
  readonly operators: readonly string[] | null;

  @ApiProperty({
    enum: CONDITIONS,
    description:
      'open: it asks. drained: it asks only where it has to come back. paused: it asks nobody. resting: drained by itself, since a block list has it.',
  })
  readonly condition: (typeof CONDITIONS)[number];

  @ApiProperty({ type: String, nullable: true, description: 'Why it does not ask; null: it does.' })
  readonly reason: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Who has drained or paused it.' })
  readonly by: string | null;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Since when it does not ask.' })
  readonly stopped_at: string | null;

  @ApiProperty({ type: [SourceCheckBody], description: 'What mail hosts look at; empty before the first look.' })
  readonly checks: readonly SourceCheckBody[];

  @ApiProperty({ type: [SourceListingBody], description: 'Block lists that have it.' })
  readonly listings: readonly SourceListingBody[];

  @ApiProperty({ type: [SourceCircuitBody], description: 'Mail operators that refuse it.' })
  readonly circuits: readonly SourceCircuitBody[];

  @ApiProperty({
    type: [SourceRefusalsBody],
    description: 'What mail operators refused it in the last 24 hours, to the hour, by operator and kind.',
  })
  readonly refusals: readonly SourceRefusalsBody[];

  @ApiProperty({ type: [SourceProcessBody], description: 'The processes that use it.' })
  readonly processes: readonly SourceProcessBody[];
}

export class EgressReply {
  @ApiProperty({ type: [EgressSourceReply] })
  readonly sources: readonly EgressSourceReply[];
}

export function egressSourceReply({
  source,
  state,
  recipientsToday,
  recipientsTodayAt,
  circuits,
}: AdministeredSource): EgressSourceReply {
  const { stop, rest } = state;
  return {
    name: source.name,
    address: source.address,
    proxy: source.socks5 && `${source.socks5.host}:${source.socks5.port}`,
    helo: source.helo,
    mail_from: source.mailFrom,
    region: source.region,
    weight: source.weight,
    since: source.since === null ? null : new Date(source.since).toISOString(),
    recipients_today: recipientsToday,
    recipients_today_at: [...recipientsTodayAt].map(([operator, recipients]) => ({ operator, recipients })),
    operators: source.operators,
    condition: stop?.condition ?? (rest === null ? 'open' : 'resting'),
    reason: stop?.reason ?? rest?.reason ?? null,
    by: stop?.changedBy ?? null,
    stopped_at: (stop?.changedAt ?? rest?.since)?.toISOString() ?? null,
    checks: state.checks.map(({ check, state: found, told, checkedAt }) => ({
      check,
      state: found,
      text: told,
      checked_at: checkedAt.toISOString(),
    })),
    listings: state.listings.map(({ list, address, told, isHarmful, since }) => ({
      list,
      address,
      text: told,
      harmful: isHarmful,
      since: since.toISOString(),
    })),
    circuits: circuits.map(({ operator, refusals, lastRefusal, openUntil, processes }) => ({
      operator,
      refusals,
      last_refusal: lastRefusal,
      open_until: openUntil.toISOString(),
      processes,
    })),
    refusals: state.refusals.map(({ operator, kind, refusals, lastReply, lastText, lastAt }) => ({
      operator,
      kind,
      refusals,
      last_reply: lastReply,
      last_text: lastText,
      last_at: lastAt.toISOString(),
    })),
    processes: state.seen.map(({ machine, port25, restingUntil, fault }) => ({
      machine,
      port_25: port25,
      resting_until: restingUntil?.toISOString() ?? null,
      fault,
    })),
  };
}
