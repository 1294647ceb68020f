import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One change of a balance. Rows are only ever added, by the statement that changes the balance: a trigger refuses everything else. */
@Entity('credit_ledger', {
  comment: 'every change of every balance; no foreign key, since only the statement that changes a balance writes here',
})
@Index('credit_ledger_by_key', ['accountId', 'keyId', 'number'], { where: 'key_id IS NOT NULL' })
@Index('credit_ledger_by_batch', ['accountId', 'batchId', 'number'], { where: 'batch_id IS NOT NULL' })
@Index('credit_ledger_given', ['accountId', 'number'], { where: `kind IN ('grant', 'adjust')` })
@Check('credit_ledger_balance_after_check', 'balance_after >= 0')
@Check(
  'credit_ledger_check',
  `CASE kind WHEN 'grant' THEN amount > 0 WHEN 'release' THEN amount > 0
             WHEN 'reserve' THEN amount < 0 WHEN 'charge' THEN amount < 0
             WHEN 'adjust' THEN amount <> 0 ELSE false END`,
)
export class LedgerEntry {
  @PrimaryColumn({ type: 'uuid' })
  readonly accountId: string;

  @PrimaryColumn({ type: 'bigint', comment: "counts the account's entries from 1 without a gap" })
  readonly number: number;

  @Column({ type: 'timestamptz' })
  readonly createdAt: Date;

  @Column({ type: 'text' })
  readonly kind: 'grant' | 'reserve' | 'charge' | 'release' | 'adjust';

  /** What the entry changed the balance by. */
  @Column({ type: 'bigint' })
  readonly amount: number;

  @Column({ type: 'bigint' })
  readonly balanceAfter: number;

  @Column({ type: 'text' })
  readonly purpose: string;

  @Column({ type: 'uuid', nullable: true })
  readonly keyId: string | null;

  @Column({ type: 'uuid', nullable: true })
  readonly reservationId: string | null;

  @Column({
    type: 'bigint',
    nullable: true,
    comment: 'the batch, and the list that it becomes, for which the entry is; it may be deleted',
  })
  readonly batchId: number | null;

  @Column({ type: 'uuid', nullable: true, comment: 'the ceilings of the key on which the credits count' })
  readonly ceilingId: string | null;

  @Column({ type: 'text', nullable: true, comment: 'who granted or adjusted' })
  readonly actor: string | null;
}
