import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

@Entity('accounts')
@Check('accounts_kind_check', `kind IN ('agent', 'full')`)
@Check('accounts_check', '(claimed_by IS NULL) = (claimed_at IS NULL)')
@Check('accounts_check1', `claimed_by IS NULL OR kind = 'agent'`)
@Index('accounts_listing', ['kind', 'createdAt', 'id'])
@Index('accounts_region', ['region'], { where: 'region IS NOT NULL' })
@Index('accounts_claimed', ['claimedBy'], { where: 'claimed_by IS NOT NULL' })
export class Account {
  @PrimaryGeneratedColumn('uuid')
  readonly id: string;

  @Column({ type: 'text' })
  readonly kind: 'agent' | 'full';

  @Column({ type: 'text', comment: 'a row of config/key-policies.json' })
  readonly policy: string;

  @Column({ type: 'text', nullable: true })
  readonly name: string | null;

  @Column({ type: 'timestamptz' })
  readonly createdAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  readonly suspendedAt: Date | null;

  @Column({ type: 'text', nullable: true, comment: 'personal data: whom administrators write to' })
  readonly contactEmail: string | null;

  @Column({ type: 'text', nullable: true, comment: 'of administrators, for administrators' })
  readonly note: string | null;

  @Column({ type: 'uuid', nullable: true, comment: 'the full account that has taken this agent under it' })
  @ForeignKey(() => Account)
  readonly claimedBy: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  readonly claimedAt: Date | null;

  @Column({ type: 'text', nullable: true, comment: 'whose workers alone work on its batches; null: anybody' })
  readonly region: string | null;
}

/** What administrators write down about an account. */
export type AccountParticulars = Pick<Account, 'contactEmail' | 'note'>;
