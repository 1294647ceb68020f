import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { WebhookEndpoint } from './endpoint.entity.js';
import type { DeliveryState } from './delivery-state.js';

/** An event on its way to an endpoint. */
@Entity('webhook_deliveries')
@Check('webhook_deliveries_state_check', `state IN ('pending', 'succeeded', 'failed')`)
@Check('webhook_deliveries_check', `(finished_at IS NULL) = (state = 'pending')`)
@Unique(['eventId', 'endpointId'])
@Index('webhook_deliveries_pending', ['endpointId', 'dueAt', 'number'], { where: `state = 'pending'` })
@Index('webhook_deliveries_listing', ['endpointId', 'createdAt', 'id'])
export class WebhookDelivery {
  @PrimaryGeneratedColumn('uuid')
  readonly id: string;

  @Column({
    type: 'bigint',
    generated: 'identity',
    generatedIdentity: 'ALWAYS',
    comment: 'order of creation where times are equal',
  })
  readonly number: number;

  @Column({ type: 'uuid' })
  @ForeignKey(() => WebhookEndpoint, { onDelete: 'CASCADE' })
  readonly endpointId: string;

  @Column({ type: 'uuid' })
  @ForeignKey('webhook_events', { onDelete: 'CASCADE' })
  readonly eventId: string;

  @Column({ type: 'text', default: 'pending' })
  readonly state: DeliveryState;

  /** Attempts made, in all of its schedules. */
  @Column({ type: 'integer', default: 0 })
  readonly attempts: number;

  @Column({ type: 'integer', default: 0, comment: 'attempts of the present schedule; a redelivery restarts it' })
  readonly scheduleStep: number;

  @Column({ type: 'timestamptz' })
  readonly dueAt: Date;

  @Column({ type: 'timestamptz' })
  readonly createdAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  readonly finishedAt: Date | null;
}
