import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

@Entity('webhook_events', { comment: 'the outbox: written in the transaction that causes the event' })
@Index('webhook_events_by_time', ['createdAt'])
@Index('webhook_events_by_account', ['accountId'])
export class WebhookEvent {
  @PrimaryColumn({ type: 'uuid', comment: 'the webhook-id of every delivery, each attempt of it' })
  readonly id: string;

  @Column({ type: 'uuid' })
  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  readonly accountId: string;

  @Column({ type: 'boolean' })
  readonly simulated: boolean;

  @Column({ type: 'text' })
  readonly type: string;

  @Column({ type: 'timestamptz' })
  readonly createdAt: Date;

  @Column({
    type: 'bigint',
    nullable: true,
    comment: 'no foreign key: the event stays when the batch is deleted',
  })
  readonly batchId: number | null;

  @Column({ type: 'text', comment: 'JSON, without addresses' })
  readonly data: string;

  @Column({ type: 'boolean', default: false, comment: 'an example that a customer asked for: nothing has happened' })
  readonly sample: boolean;
}
