import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { EntityManager } from 'typeorm';
import { RequireAdmin } from '../../keys/access/audience.js';
import { timeOrNull } from '../../keys/key-fields.js';
import { ApiIdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { PageQuery } from '../../platform/http/page.js';
import { InTurn } from '../../keys/limits/in-turn.interceptor.js';
import { type Actor, Administrator } from '../actor.js';
import { ReasonRequest } from '../bodies/admin.dto.js';
import { OptOutPageReply, optOutPageReply, OptOutReply, optOutReply, OptOutRequest } from '../bodies/opt-out.reply.js';
import { OptOutsService } from '../../opt-outs/opt-outs.service.js';
import { AuditService } from '../audit.service.js';

const ID = { name: 'id', schema: { type: 'string', format: 'uuid' } } as const;

/** Domains and mail hosts that nobody asks any more, since their postmasters want it so. */
@ApiTags('Egress')
@ApiBearerAuth()
@RequireAdmin()
@InTurn()
@Controller('admin/v1/opt-outs')
export class AdminOptOutsController {
  constructor(
    private readonly optOuts: OptOutsService,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listOptOuts', summary: 'Domains and mail hosts that are left alone, newest first' })
  @ApiOkResponse({ type: OptOutPageReply })
  async list(@Query() query: PageQuery): Promise<OptOutPageReply> {
    return optOutPageReply(await this.optOuts.list(query));
  }

  @Post()
  @HttpCode(201)
  @ApiIdempotencyKey()
  @ApiOperation({
    operationId: 'addOptOut',
    summary: 'Leave a domain or a mail host alone',
    description: 'It holds on all processes within ten seconds, for batches under way too.',
  })
  @ApiCreatedResponse({ type: OptOutReply })
  async add(@Administrator() actor: Actor, @Body() { kind, name, reason, until }: OptOutRequest): Promise<OptOutReply> {
    const wanted = { kind, name, reason, endsAt: timeOrNull(until), madeBy: actor.name };
    const add = (tx: EntityManager) => this.optOuts.add(tx, wanted);
    const added = await this.audit.audited(actor, 'opt_out.add', add, (made) => ({
      details: { kind: made.kind, name: made.name, reason: made.reason, until: made.endsAt.toISOString() },
    }));
    this.optOuts.alert(added);
    return optOutReply(added);
  }

  @Post(':id/remove')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiParam(ID)
  @ApiErrors('opt_out_not_found')
  @ApiOperation({ operationId: 'removeOptOut', summary: 'Let a domain or mail host be asked again' })
  @ApiOkResponse({ type: OptOutReply })
  async remove(
    @Administrator() actor: Actor,
    @Param('id') id: string,
    @Body() { reason }: ReasonRequest,
  ): Promise<OptOutReply> {
    const remove = (tx: EntityManager) => this.optOuts.remove(tx, id);
    const gone = await this.audit.audited(actor, 'opt_out.remove', remove, ({ kind, name }) => ({
      details: { kind, name, reason },
    }));
    return optOutReply(gone);
  }
}
