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

export class OperatorReply {
  @ApiProperty({
    description: 'A row of `config/mail-providers.json`, or the first mail host of an operator without one.',
  })
  readonly name: string;

  @ApiProperty({ type: String, nullable: true })
  readonly title: string | null;

  @ApiProperty({ type: OperatorPauseBody, nullable: true, description: 'Null: it is asked as always.' })
  readonly paused: OperatorPauseBody | null;
}

export class OperatorsReply {
  @ApiProperty({ type: [OperatorReply] })
  readonly operators: readonly OperatorReply[];
}

export function operatorReply({ name, title, pause }: Operator): OperatorReply {
  const paused = pause && {
    reason: pause.reason,
    by: pause.pausedBy,
    since: pause.pausedAt.toISOString(),
    until: pause.endsAt?.toISOString() ?? null,
  };
  return { name, title, paused };
}
