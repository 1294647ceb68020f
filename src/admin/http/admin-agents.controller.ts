import { Body, Controller, Get, HttpCode, Inject, Patch, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { EntityManager } from 'typeorm';
import { RequireAdmin } from '../../keys/access/audience.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ApiIdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import { InTurn } from '../../keys/limits/in-turn.interceptor.js';
import { type Actor, Administrator } from '../actor.js';
import { AgentsQuery, CapacityRequest, RevokeAgentsRequest } from '../bodies/admin.dto.js';
import { AgentPageReply, agentReply, PoolReply, poolReply, RevokedAgentsReply } from '../bodies/agent.reply.js';
import { pageReply } from '../bodies/page-reply.js';
import { AuditService } from '../audit.service.js';
import { AgentPoolService } from '../../credits/daily/agent-pool.service.js';
import { AgentsService } from '../../keys/accounts/agents.service.js';
import { KeyChangesService } from '../../keys/key-changes.service.js';

/** Agents and the credits that they share. */
@ApiTags('Agent keys')
@ApiBearerAuth()
@RequireAdmin()
@InTurn()
@Controller('admin/v1')
export class AdminAgentsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly changes: KeyChangesService,
    private readonly pool: AgentPoolService,
    private readonly audit: AuditService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Get('agents')
  @ApiOperation({ operationId: 'searchAgents', summary: 'Agents, the latest registration first' })
  @ApiOkResponse({ type: AgentPageReply })
  async search(@Query() query: AgentsQuery): Promise<AgentPageReply> {
    const search = { address: query.address ?? null, text: query.text ?? null, lastFour: query.last_four ?? null };
    const now = this.clock.now();
    return pageReply('agents', await this.agents.search(search, query), (agent) => agentReply(agent, now));
  }

  @Post('agents/revoke')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiOperation({
    operationId: 'revokeAgents',
    summary: 'Revoke the keys of all agents that registered from an address or network',
  })
  @ApiOkResponse({ type: RevokedAgentsReply })
  async revoke(@Administrator() actor: Actor, @Body() { address }: RevokeAgentsRequest): Promise<RevokedAgentsReply> {
    const revoked = await this.changes.change(async (change) => {
      const count = await this.agents.revokeByAddress(change, address);
      const details = { address, revoked: count };
      await this.audit.record(change.tx, actor, { action: 'agents.revoke_by_address', details });
      return count;
    }, actor.claim);
    return { address, revoked };
  }

  @Get('pool')
  @ApiOperation({ operationId: 'getPool', summary: 'The credits that agents share today' })
  @ApiOkResponse({ type: PoolReply })
  async showPool(): Promise<PoolReply> {
    return poolReply(await this.pool.getToday());
  }

  @Patch('pool')
  @ApiOperation({ operationId: 'changePool', summary: "Change today's shared credits" })
  @ApiOkResponse({ type: PoolReply })
  async changePool(@Administrator() actor: Actor, @Body() { capacity }: CapacityRequest): Promise<PoolReply> {
    const { capacity: before } = await this.pool.getToday();
    const change = (tx: EntityManager) => this.pool.setTodaysCapacity(tx, capacity);
    await this.audit.audited(actor, 'pool.set_capacity', change, () => ({ details: { from: before, to: capacity } }));
    return poolReply(await this.pool.getToday());
  }
}
