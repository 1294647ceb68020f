import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type AgentPool, AgentPoolService } from '../credits/agent-pool.service.js';
import type { Actor } from './actor.js';
import { AuditService } from './audit.service.js';

/** The acts of administrators on the credits that all agents share. */
@Injectable()
export class PoolAdministrationService {
  constructor(
    private readonly pool: AgentPoolService,
    private readonly audit: AuditService,
    private readonly database: DataSource,
  ) {}

  getToday(): Promise<AgentPool> {
    return this.pool.getToday();
  }

  /** @param capacity for the rest of the UTC day; null: the configured capacity */
  async setTodaysCapacity(actor: Actor, capacity: number | null): Promise<AgentPool> {
    const { capacity: before } = await this.pool.getToday();
    await this.database.transaction(async (tx) => {
      await this.pool.setTodaysCapacity(tx, capacity);
      await this.audit.record(tx, actor, { action: 'pool.set_capacity', details: { from: before, to: capacity } });
    });
    return this.pool.getToday();
  }
}
