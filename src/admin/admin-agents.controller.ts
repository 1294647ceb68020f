import { Body, Controller, Get, HttpCode, Inject, Patch, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { RequireAdmin } from '../keys/audience.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { type Actor, Administrator } from './actor.js';
import { agentReply, pageReply, poolReply, type Reply } from './admin-replies.js';
import { AgentsQuery, CapacityRequest, RevokeAgentsRequest } from './admin-input.js';
import { AgentAdministrationService } from './agent-administration.service.js';
import { PoolAdministrationService } from './pool-administration.service.js';

/** Agents and the credits that they share. */
@RequireAdmin()
@ApiExcludeController()
@Controller('admin/v1')
export class AdminAgentsController {
  constructor(
    private readonly agents: AgentAdministrationService,
    private readonly pool: PoolAdministrationService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Get('agents')
  async search(@Query() query: AgentsQuery): Promise<Reply> {
    const search = { address: query.address ?? null, text: query.text ?? null, lastFour: query.last_four ?? null };
    const now = this.clock.now();
    return pageReply('agents', await this.agents.search(search, query), (agent) => agentReply(agent, now));
  }

  @Post('agents/revoke')
  @HttpCode(200)
  async revoke(@Administrator() actor: Actor, @Body() { address }: RevokeAgentsRequest): Promise<Reply> {
    return { address, revoked: await this.agents.revokeByAddress(actor, address) };
  }

  @Get('pool')
  async showPool(): Promise<Reply> {
    return poolReply(await this.pool.getToday());
  }

  @Patch('pool')
  async changePool(@Administrator() actor: Actor, @Body() { capacity }: CapacityRequest): Promise<Reply> {
    return poolReply(await this.pool.setTodaysCapacity(actor, capacity));
  }
}
