import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { AgentPoolStore } from './agent-pool.store.js';
import { utcDay } from './utc-day.js';

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

/** The shared pool, as an administrator sees and changes it. */
@Injectable()
export class AgentPoolService {
  constructor(
    private readonly store: AgentPoolStore,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(ENV) private readonly env: Env,
  ) {}

  async getToday(): Promise<AgentPool> {
    const day = utcDay(this.clock.now());
    const { used, capacity } = (await this.store.find(day.date)) ?? { used: 0, capacity: null };
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
    await this.store.setCapacity(tx, utcDay(this.clock.now()).date, capacity);
  }
}
