import { Body, Inject, Query } from '@nestjs/common';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { type Actor, Administrator } from '../actor.js';
import { AgentsQuery, CapacityRequest, RevokeAgentsRequest } from '../bodies/admin.dto.js';
import { AgentPageReply, agentReply, PoolReply, poolReply, RevokedAgentsReply } from '../bodies/agent.reply.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';
import { pageReply } from '../../platform/http/page.js';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../audit.service.js';
import { AgentPoolService } from '../../credits/agent-pool.service.js';
import { AgentsService } from '../../keys/accounts/agents.service.js';
import { KeyTransaction } from '../../keys/access/key-transaction.js';

/** Agents and the credits that they share. */
@AdminRoutes('', { tag: 'Agent keys', inTurn: 'agents' })
export class AdminAgentsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly transaction: KeyTransaction,
    private readonly pool: AgentPoolService,
    private readonly audit: AuditService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @AdminRoute.get('agents', 'searchAgents', 'Agents, the latest registration first', {
    needs: 'read',
    ok: AgentPageReply,
  })
  async search(@Query() query: AgentsQuery) {
    const search = { address: query.address ?? null, text: query.text ?? null, lastFour: query.last_four ?? null };
    const now = this.clock.now();
    return pageReply('agents', await this.agents.search(search, query), (agent) => agentReply(agent, now));
  }

  @AdminRoute.post(
    'agents/revoke',
    'revokeAgents',
    'Revoke the keys of all agents that registered from an address or network',
    { needs: 'support', ok: RevokedAgentsReply },
  )
  async revoke(@Administrator() actor: Actor, @Body() { address }: RevokeAgentsRequest) {
    const revoked = await this.transaction.run(async (change) => {
      const count = await this.agents.revokeByAddress(change, address);
      const details = { address, revoked: count };
      await this.audit.record(change.tx, actor, { action: 'agents.revoke_by_address', details });
      return count;
    }, actor.claim);
    return { address, revoked };
  }

  @AdminRoute.get('pool', 'getPool', 'The credits that agents share today', { needs: 'read', ok: PoolReply })
  async showPool() {
    return poolReply(await this.pool.getToday());
  }

  @AdminRoute.patch('pool', 'changePool', "Change today's shared credits", { needs: 'all', ok: PoolReply })
  async changePool(@Administrator() actor: Actor, @Body() { capacity }: CapacityRequest) {
    const { capacity: before } = await this.pool.getToday();
    const change = (tx: EntityManager) => this.pool.setTodaysCapacity(tx, capacity);
    await this.audit.audited(actor, 'pool.set_capacity', change, () => ({ details: { from: before, to: capacity } }));
    return poolReply(await this.pool.getToday());
  }
}
