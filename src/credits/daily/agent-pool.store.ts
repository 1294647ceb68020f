import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AgentPoolDay } from './agent-pool-day.entity.js';

@Injectable()
export class AgentPoolStore {
  constructor(private readonly database: DataSource) {}

  /** Null before the day's first credit is taken. */
  find(utcDate: string): Promise<AgentPoolDay | null> {
    return this.database.manager.findOneBy(AgentPoolDay, { utcDate });
  }

  /** @param capacity null: what is configured */
  async setCapacity(tx: EntityManager, utcDate: string, capacity: number | null): Promise<void> {
    await tx
      .createQueryBuilder()
      .insert()
      .into(AgentPoolDay)
      .values({ utcDate, used: 0, capacity })
      .orUpdate(['capacity'], ['utc_date'])
      .execute();
  }
}
