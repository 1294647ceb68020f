import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

@Entity('suppressions', { comment: 'who asked not to be found' })
@Check('suppressions_address_hash_check', 'octet_length(address_hash) = 32')
@Index('suppressions_of_account', ['hash', 'accountId', 'simulated'], {
  unique: true,
  where: 'account_id IS NOT NULL',
})
@Index('suppressions_of_all', ['hash'], { unique: true, where: 'account_id IS NULL' })
@Index('suppressions_listing', ['accountId', 'simulated', 'createdAt', 'id'])
export class Suppression {
  @PrimaryGeneratedColumn('uuid')
  readonly id: string;

  @Column({ type: 'uuid', nullable: true, comment: 'for whom it holds; null: for everybody' })
  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  readonly accountId: string | null;

  @Column({ type: 'boolean', comment: 'made with a test key, and for test keys only' })
  readonly simulated: boolean;

  @Column({
    name: 'address_hash',
    type: 'bytea',
    comment: 'SHA-256 of the address in lower case, without its +tag',
  })
  readonly hash: Buffer;

  @Column({ type: 'text', nullable: true })
  readonly reason: string | null;

  @Column({ type: 'timestamptz' })
  readonly createdAt: Date;
}

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
