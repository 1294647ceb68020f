import { Injectable } from '@nestjs/common';
import { Gauges } from '../../platform/metrics/gauges.js';
import { AgentPoolService } from './agent-pool.service.js';

/** What is left of the day's credits of all agents. */
@Injectable()
export class AgentPoolGauges {
  constructor(gauges: Gauges, pool: AgentPoolService) {
    gauges.addShared({
      name: 'mailsonde_agent_pool_remaining',
      help: 'Credits that agents may still take today, all together.',
      read: async () => [{ value: (await pool.getToday()).remaining }],
    });
    gauges.addShared({
      name: 'mailsonde_agent_pool_capacity',
      help: 'Credits that all agents together may take today.',
      read: async () => [{ value: (await pool.getToday()).capacity }],
    });
  }
}
