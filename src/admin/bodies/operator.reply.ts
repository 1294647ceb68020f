import { ApiProperty } from '@nestjs/swagger';
import { TIME_OR_NULL } from '../../platform/http/time.js';
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
}

export class OperatorsReply {
  @ApiProperty({ type: [OperatorReply] })
  readonly operators: readonly OperatorReply[];
}

export function operatorReply({ name, title, pause, circuits }: Operator): OperatorReply {
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
  return { name, title, paused, circuits: bodies };
}
