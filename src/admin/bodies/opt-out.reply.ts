import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { OptionalTime } from '../../keys/key-fields.js';
import { LEFT_KINDS, type LeftKind, MAX_OPT_OUT_DAYS } from '../../opt-outs/left-name.js';
import type { OptOut } from '../../opt-outs/opt-outs.service.js';
import { NEXT_CURSOR, type Page } from '../../platform/http/page.js';
import { RequiredText } from '../../platform/http/text.js';
import { ReasonRequest } from './admin.dto.js';

export class OptOutRequest extends ReasonRequest {
  @ApiProperty({ enum: LEFT_KINDS })
  @IsIn(LEFT_KINDS)
  readonly kind: LeftKind;

  @RequiredText(255)
  readonly name: string;

  @OptionalTime(`When it ends, at most ${MAX_OPT_OUT_DAYS} days ahead; without it after ${MAX_OPT_OUT_DAYS} days.`)
  readonly until?: string | null;
}

export class OptOutReply {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ enum: LEFT_KINDS, description: 'A domain of addresses, or a host that takes mail.' })
  readonly kind: LeftKind;

  @ApiProperty({ description: 'Names below it are left alone too.' })
  readonly name: string;

  @ApiProperty()
  readonly reason: string;

  @ApiProperty({ description: 'An administrator, or the postmaster by a mailed link.' })
  readonly by: string;

  @ApiProperty({ format: 'date-time' })
  readonly since: string;

  @ApiProperty({ format: 'date-time', description: 'When it ends, unless somebody opts out again.' })
  readonly until: string;
}

export class OptOutPageReply {
  @ApiProperty({ type: [OptOutReply] })
  readonly opt_outs: readonly OptOutReply[];

  @ApiProperty(NEXT_CURSOR)
  readonly next_cursor: string | null;
}

export function optOutReply({ id, kind, name, reason, madeBy, madeAt, endsAt }: OptOut): OptOutReply {
  return { id, kind, name, reason, by: madeBy, since: madeAt.toISOString(), until: endsAt.toISOString() };
}

export function optOutPageReply({ items, nextCursor }: Page<OptOut>): OptOutPageReply {
  return { opt_outs: items.map(optOutReply), next_cursor: nextCursor };
}
