import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** One change that an administrator or an account made. Rows are only ever added, and addresses forgotten: triggers refuse everything else. */
@Entity('audit_log', {
  comment: 'every change that an administrator or an account made; rows outlive the accounts and keys that they name',
})
@Index('audit_log_account', ['accountId', 'id'])
@Index('audit_log_name_runs', ['at'], { where: "action = 'enumeration.suspect'" })
@Index('audit_log_own', ['accountId', 'simulated', 'id'], { where: 'simulated IS NOT NULL' })
export class AuditEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  readonly id: number;

  @Column({ type: 'timestamptz' })
  readonly at: Date;

  @Column({ type: 'uuid', nullable: true, comment: 'the key that acted; null for the command line' })
  readonly actorId: string | null;

  @Column({ type: 'text' })
  readonly actor: string;

  @Column({ type: 'text', comment: 'client address, or the machine of the command line' })
  readonly origin: string;

  /** Name of the action, such as `account.suspend`. */
  @Column({ type: 'text' })
  readonly action: string;

  @Column({ type: 'uuid', nullable: true })
  readonly accountId: string | null;

  @Column({ type: 'uuid', nullable: true })
  readonly keyId: string | null;

  @Column({
    type: 'boolean',
    nullable: true,
    comment: "mode of the account's keys that see the entry; null: administrators alone do",
  })
  readonly simulated: boolean | null;

  /** The changed values by name; never a token or a verified address. */
  @Column({ type: 'jsonb' })
  readonly details: Readonly<Record<string, unknown>>;
}
