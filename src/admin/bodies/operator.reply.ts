import { ApiProperty } from '@nestjs/swagger';
import { TIME_OR_NULL } from '../../platform/http/schemas.js';
import type { Operator } from '../operator-administration.service.js';

export class OperatorPauseBody {
  @ApiProperty()
  readonly reason: string;

  @ApiProperty({ description: 'Who has paused it.' })
  readonly by: string;

  @ApiProperty({ format: 'date-time' })
  readonly since: string;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Null: until it is resumed.' })
  readonly until: string | null;
}

export class OperatorCircuitBody {
  @ApiProperty({ description: 'The name of the source of ours that it refuses.', example: 'default' })
  readonly source: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The address of ours that it refuses; null where a proxy connects for us.',
  })
  readonly address: string | null;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Refusals in a row, the most that a process has seen.' })
  readonly refusals: number;

  @ApiProperty({ description: 'The codes of the last one.', example: '550 5.7.1' })
  readonly last_refusal: string;

  @ApiProperty({ format: 'date-time', description: 'Then one connection tries whether it still refuses.' })
  readonly open_until: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Processes that it refuses.' })
  readonly processes: number;
}

export class OperatorMeasureBody {
  @ApiProperty({ format: 'date-time', description: 'When a made-up name was asked last: at most one an hour.' })
  readonly asked_at: string;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 2, description: 'Made-up names accepted in a row.' })
  readonly accepted_in_a_row: number;

  @ApiProperty({
    ...TIME_OR_NULL,
    description: 'Since then it has accepted two in a row, and what it accepts is `catch_all`. Null: it is believed.',
  })
  readonly accepts_all_since: string | null;

  @ApiProperty({
    ...TIME_OR_NULL,
    description: 'When it last accepted a made-up name or said that there is none such. Null: never.',
  })
  readonly answered_at: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The domain of that name.', example: 'yandex.ru' })
  readonly domain: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The mail host that answered.', example: 'mx.yandex.ru' })
  readonly mail_host: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'What it answered, without the name.', example: '250 Ok' })
  readonly reply: string | null;
}

export class OperatorReply {
  @ApiProperty({
    description: 'A row of `config/mail-providers.json`, or the first mail host of an operator without one.',
  })
  readonly name: string;

  @ApiProperty({ type: String, nullable: true })
  readonly title: string | null;

  @ApiProperty({ type: OperatorPauseBody, nullable: true, description: 'Null: it is asked as always.' })
  readonly paused: OperatorPauseBody | null;

  @ApiProperty({
    type: [OperatorCircuitBody],
    description: 'Where it refuses us, so that nobody asks it for a while and its addresses are `ip_blocked`.',
  })
  readonly circuits: readonly OperatorCircuitBody[];

  @ApiProperty({
    type: OperatorMeasureBody,
    nullable: true,
    description:
      'What it has answered to made-up names, where it is believed to refuse unknown ones on its own domains. Null: it was asked none yet, or is never asked one.',
  })
  readonly measured: OperatorMeasureBody | null;
}

export class OperatorsReply {
  @ApiProperty({ type: [OperatorReply] })
  readonly operators: readonly OperatorReply[];
}

export function operatorReply({ name, title, pause, circuits, measure }: Operator): OperatorReply {
  const paused = pause && {
    reason: pause.reason,
    by: pause.pausedBy,
    since: pause.pausedAt.toISOString(),
    until: pause.endsAt?.toISOString() ?? null,
  };
  const bodies = circuits.map(({ source, address, refusals, lastRefusal, openUntil, processes }) => ({
    source,
    address: address || null,
    refusals,
    last_refusal: lastRefusal,
    open_until: openUntil.toISOString(),
    processes,
  }));
  const measured = measure && {
    asked_at: measure.askedAt.toISOString(),
    accepted_in_a_row: measure.acceptedInARow,
    accepts_all_since: measure.acceptsAllSince?.toISOString() ?? null,
    answered_at: measure.answer?.at.toISOString() ?? null,
    domain: measure.answer?.domain ?? null,
    mail_host: measure.answer?.mailHost ?? null,
    reply: measure.answer?.reply ?? null,
  };
  return { name, title, paused, circuits: bodies, measured };
}
