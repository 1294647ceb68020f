import { Check, Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/**
 * What keys may spend of a balance, and what they have. A key, those that took its place and those that it made share a row. The statements
 * of `credits/` that reserve and settle count on it; here only the limits are set.
 */
@Entity('key_ceilings', {
  comment: 'what keys may spend of a balance: a key, those that took its place and those that it made share a row',
})
@Check('key_ceilings_credits_per_day_check', 'credits_per_day >= 0')
@Check('key_ceilings_credits_per_month_check', 'credits_per_month >= 0')
@Check('key_ceilings_credits_total_check', 'credits_total >= 0')
@Check('key_ceilings_used_day_check', 'used_day >= 0')
@Check('key_ceilings_used_month_check', 'used_month >= 0')
@Check('key_ceilings_used_total_check', 'used_total >= 0')
export class KeyCeiling {
  @PrimaryGeneratedColumn('uuid')
  readonly id: string;

  @Column({ type: 'bigint', nullable: true })
  readonly creditsPerDay: number | null;

  @Column({ type: 'bigint', nullable: true })
  readonly creditsPerMonth: number | null;

  @Column({ type: 'bigint', nullable: true })
  readonly creditsTotal: number | null;

  /** `YYYY-MM-DD`. */
  @Column({
    type: 'date',
    nullable: true,
    comment: 'the UTC day that used_day counts, in the month that used_month counts; null before the first reservation',
  })
  readonly usedDate: string | null;

  @Column({ type: 'bigint', default: 0 })
  readonly usedDay: number;

  @Column({ type: 'bigint', default: 0 })
  readonly usedMonth: number;

  @Column({ type: 'bigint', default: 0, comment: 'charged, and reserved for work that still runs' })
  readonly usedTotal: number;
}
