import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

@Entity('accounts')
@Check('accounts_kind_check', `kind IN ('agent', 'full')`)
@Index('accounts_listing', ['kind', 'createdAt', 'id'])
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
}

/** What administrators write down about an account. */
export type AccountParticulars = Pick<Account, 'contactEmail' | 'note'>;
