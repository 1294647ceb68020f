import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** What agents share on one day; nothing of it is there before the day's first credit is taken. */
@Entity('agent_daily_pool')
@Check('agent_daily_pool_used_check', 'used >= 0')
@Check('agent_daily_pool_capacity_check', 'capacity >= 0')
export class AgentPoolDay {
  @PrimaryColumn({ type: 'date' })
  readonly utcDate: string;

  @Column({ type: 'integer' })
  readonly used: number;

  @Column({
    type: 'integer',
    nullable: true,
    comment: 'set by an administrator for this day; null: AGENT_DAILY_CAPACITY',
  })
  readonly capacity: number | null;
}
