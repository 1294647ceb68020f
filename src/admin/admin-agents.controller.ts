import { Body, Controller, Get, HttpCode, Inject, Patch, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireAdmin } from '../keys/audience.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { ApiIdempotencyKey } from '../platform/http/idempotency-key.decorator.js';
import { AgentPageReply, PoolReply, RevokedAgentsReply } from './admin-schemas.js';
import { type Actor, Administrator } from './actor.js';
import { agentReply, pageReply, poolReply, type Reply } from './admin-replies.js';
import { AgentsQuery, CapacityRequest, RevokeAgentsRequest } from './admin-input.js';
import { AgentAdministrationService } from './agent-administration.service.js';
import { PoolAdministrationService } from './pool-administration.service.js';

/** Agents and the credits that they share. */
@ApiTags('Agent keys')
@ApiBearerAuth()
@RequireAdmin()
@Controller('admin/v1')
export class AdminAgentsController {
  constructor(
    private readonly agents: AgentAdministrationService,
    private readonly pool: PoolAdministrationService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Get('agents')
  @ApiOperation({ operationId: 'searchAgents', summary: 'Agents, the latest registration first' })
  @ApiOkResponse({ type: AgentPageReply })
  async search(@Query() query: AgentsQuery): Promise<Reply> {
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
  async revoke(@Administrator() actor: Actor, @Body() { address }: RevokeAgentsRequest): Promise<Reply> {
    return { address, revoked: await this.agents.revokeByAddress(actor, address) };
  }

  @Get('pool')
  @ApiOperation({ operationId: 'getPool', summary: 'The credits that agents share today' })
  @ApiOkResponse({ type: PoolReply })
  async showPool(): Promise<Reply> {
    return poolReply(await this.pool.getToday());
  }

  @Patch('pool')
  @ApiOperation({ operationId: 'changePool', summary: "Change today's shared credits" })
  @ApiOkResponse({ type: PoolReply })
  async changePool(@Administrator() actor: Actor, @Body() { capacity }: CapacityRequest): Promise<Reply> {
    return poolReply(await this.pool.setTodaysCapacity(actor, capacity));
  }
}
