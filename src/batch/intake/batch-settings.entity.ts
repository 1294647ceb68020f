import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

@Entity('batch_settings', { comment: 'of accounts that have chosen something else than the defaults, by mode' })
export class BatchSettings {
  @PrimaryColumn({ type: 'uuid' })
  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  readonly accountId: string;

  @PrimaryColumn({ type: 'boolean', comment: 'of the test mode; else of the live one' })
  readonly simulated: boolean;

  @Column({ type: 'integer', nullable: true, comment: 'null: as long as the plan lets batches be kept' })
  readonly retentionDays: number | null;

  @Column({ type: 'integer', nullable: true, comment: 'null: as the installation says' })
  readonly retryWindowSeconds: number | null;
}
