import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** A URL that gets events of an account. Its secrets and what only workers need are read where they are asked for by name. */
@Entity('webhook_endpoints')
@Check('webhook_endpoints_created_via_check', `created_via IN ('api', 'batch')`)
@Check('webhook_endpoints_disabled_reason_check', `disabled_reason IN ('owner', 'gone', 'failing')`)
@Check('webhook_endpoints_include_results_check', 'include_results BETWEEN 0 AND 1000')
@Check('webhook_endpoints_lane_check', `lane IN ('quick', 'slow')`)
@Check('webhook_endpoints_check', 'enabled = (disabled_reason IS NULL) AND enabled = (disabled_at IS NULL)')
@Check('webhook_endpoints_check1', '(previous_secret IS NULL) = (previous_secret_expires_at IS NULL)')
@Unique(['accountId', 'simulated', 'url'])
@Index('webhook_endpoints_listing', ['accountId', 'simulated', 'createdAt', 'id'])
export class WebhookEndpoint {
  @PrimaryGeneratedColumn('uuid')
  readonly id: string;

  @Column({ type: 'uuid' })
  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  readonly accountId: string;

  @Column({ type: 'boolean', comment: 'registered by a test key: gets the events of test keys only' })
  readonly simulated: boolean;

  @Column({ type: 'text' })
  readonly url: string;

  @Column({ type: 'text', array: true })
  readonly events: readonly string[];

  @Column({
    type: 'text',
    comment: 'batch: the webhook_url of a batch, which gets the events of the batches that name it',
  })
  readonly createdVia: 'api' | 'batch';

  @Column({ type: 'timestamptz' })
  readonly createdAt: Date;

  @Column({ type: 'integer', default: 1000, comment: 'so many rows of results a body carries at most' })
  readonly includeResults: number;

  @Column({
    type: 'timestamptz',
    nullable: true,
    comment: 'first 2xx from the present url; null: it is sent no results',
  })
  readonly confirmedAt: Date | null;

  @Column({ type: 'boolean', default: true })
  readonly enabled: boolean;

  @Column({ type: 'text', nullable: true })
  readonly disabledReason: 'owner' | 'gone' | 'failing' | null;

  @Column({ type: 'timestamptz', nullable: true })
  readonly disabledAt: Date | null;

  @Column({ type: 'bytea', select: false, comment: 'sealed with SECRETS_KEY; signing needs it in clear' })
  readonly secret: Buffer;

  @Column({ type: 'bytea', nullable: true, select: false })
  readonly previousSecret: Buffer | null;

  @Column({ type: 'timestamptz', nullable: true })
  readonly previousSecretExpiresAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  readonly lastSuccessAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true, comment: 'first failure after the last success' })
  readonly failingSince: Date | null;

  @Column({
    type: 'timestamptz',
    nullable: true,
    select: false,
    comment: 'by Retry-After, or by the rate limit of its host',
  })
  readonly pausedUntil: Date | null;

  @Column({
    type: 'text',
    default: 'quick',
    select: false,
    comment:
      'slow: its last attempt failed or took long, so it shares few permits with others like it and quick endpoints never wait for it',
  })
  readonly lane: 'quick' | 'slow';

  @Column({
    type: 'uuid',
    nullable: true,
    select: false,
    comment: 'the worker that delivers; one at a time, so that deliveries keep their order',
  })
  readonly leaseOwner: string | null;

  @Column({ type: 'timestamptz', nullable: true, select: false })
  readonly leaseExpiresAt: Date | null;
}
