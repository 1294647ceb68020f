import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

@Entity('suppression_settings', {
  comment: 'of accounts that have chosen something else than the defaults, by mode',
})
export class SuppressionSettings {
  @PrimaryColumn({ type: 'uuid' })
  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  readonly accountId: string;

  @PrimaryColumn({ type: 'boolean', comment: 'of the test mode; else of the live one' })
  readonly simulated: boolean;

  @Column({ type: 'boolean' })
  readonly reportInVerify: boolean;
}
