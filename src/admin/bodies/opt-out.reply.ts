import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { OptionalTime } from '../../keys/key-fields.js';
import {
  MAX_OPT_OUT_DAYS,
  type OptOut,
  OPT_OUT_KINDS,
  type OptOutKind,
} from '../../sending/opt-outs/opt-out-subject.js';
import { type Page, PageOf, pageReply } from '../../platform/http/page.js';
import { RequiredText } from '../../platform/http/fields.js';
import { ReasonRequest } from './admin.dto.js';
import { field, Reply } from '../../platform/http/reply.js';

export class OptOutRequest extends ReasonRequest {
  @ApiProperty({ enum: OPT_OUT_KINDS })
  @IsIn(OPT_OUT_KINDS)
  readonly kind: OptOutKind;

  @RequiredText(255)
  readonly name: string;

  @OptionalTime(`When it ends, at most ${MAX_OPT_OUT_DAYS} days ahead; without it after ${MAX_OPT_OUT_DAYS} days.`)
  readonly until?: string | null;
}

export class OptOutReply extends Reply({
  id: field.uuid(),
  kind: field.oneOf(OPT_OUT_KINDS, 'A domain of addresses, or a host that takes mail.'),
  name: field.text('Names below it are left alone too.'),
  reason: field.text(),
  by: field.text('An administrator, or the postmaster by a mailed link.'),
  since: field.time(),
  until: field.time('When it ends, unless somebody opts out again.'),
}) {}

export class OptOutPageReply extends PageOf(OptOutReply, 'opt_outs') {}

export function optOutReply({ id, kind, name, reason, madeBy, madeAt, endsAt }: OptOut): OptOutReply {
  return { id, kind, name, reason, by: madeBy, since: madeAt.toISOString(), until: endsAt.toISOString() };
}

export const optOutPageReply = (page: Page<OptOut>): OptOutPageReply => pageReply('opt_outs', page, optOutReply);
