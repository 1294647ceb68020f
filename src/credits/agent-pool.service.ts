import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { ENV, type Env } from '../platform/config/env.js';
import { AgentPoolDay } from './agent-pool-day.entity.js';
import { Gauges } from '../platform/metrics/gauges.js';
import { utcDay } from './usage/utc-day.js';

/** The credits that all agents share on a UTC day. */
export interface AgentPool {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly capacity: number;
  /** `AGENT_DAILY_CAPACITY`, which holds again tomorrow. */
  readonly configuredCapacity: number;
  readonly used: number;
  /** The credits left; never below 0, also when the capacity was lowered below the used credits. */
  readonly remaining: number;
  readonly resetsAt: Date;
}

/** The shared pool, as an administrator sees and changes it, with its gauges. */
@Injectable()
export class AgentPoolService {
  constructor(
    private readonly database: DataSource,
    gauges: Gauges,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(ENV) private readonly env: Env,
  ) {
    gauges.addShared({
      name: 'mailsonde_agent_pool_remaining',
      help: 'Credits that agents may still take today, all together.',
      read: async () => (await this.getToday()).remaining,
    });
    gauges.addShared({
      name: 'mailsonde_agent_pool_capacity',
      help: 'Credits that all agents together may take today.',
      read: async () => (await this.getToday()).capacity,
    });
  }

  async getToday(): Promise<AgentPool> {
    const day = utcDay(this.clock.now());
    // There is no row before the day's first credit is taken.
    const found = await this.database.manager.findOneBy(AgentPoolDay, { utcDate: day.date });
    const { used, capacity } = found ?? { used: 0, capacity: null };
    const configuredCapacity = this.env.agentDailyCapacity;
    const ofToday = capacity ?? configuredCapacity;
    const remaining = Math.max(0, ofToday - used);
    return { date: day.date, capacity: ofToday, configuredCapacity, used, remaining, resetsAt: day.endsAt };
  }

  /**
   * Sets the capacity for the rest of the UTC day.
   * @param capacity null: the configured capacity
   */
  async setTodaysCapacity(tx: EntityManager, capacity: number | null): Promise<void> {
    await tx
      .createQueryBuilder()
      .insert()
      .into(AgentPoolDay)
      .values({ utcDate: utcDay(this.clock.now()).date, used: 0, capacity })
      .orUpdate(['capacity'], ['utc_date'])
      .execute();
  }
}
