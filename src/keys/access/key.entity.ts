import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import type { KeyKind, HeldPermissions } from '../scope/key-scope.js';
import { KeyCeiling } from '../scope/key-ceiling.entity.js';
import { Account } from './account.entity.js';

/** Who made a key: a key of an account, or an administrator, by a key of theirs or by the command line. */
export type MakerKind = 'key' | 'administrator';

@Entity('api_keys')
@Check('api_keys_kind_check', `kind IN ('agent', 'live', 'test', 'admin')`)
@Check('api_keys_check', `(kind = 'admin') = (account_id IS NULL)`)
@Check('api_keys_token_hash_check', 'octet_length(token_hash) = 32')
@Check('api_keys_permissions_check', 'cardinality(permissions) > 0')
@Check('api_keys_networks_check', 'cardinality(networks) > 0')
@Check('api_keys_maker_kind_check', `maker_kind IN ('key', 'administrator')`)
@Check('api_keys_maker_check', 'maker_id IS NULL OR maker_kind IS NOT NULL')
@Unique(['tokenHash'])
@Index('api_keys_listing', ['accountId', 'createdAt', 'id'])
@Index('api_keys_last_four', ['lastFour'])
@Index('api_keys_maker', ['makerId'], { where: 'maker_id IS NOT NULL' })
@Index('api_keys_successor', ['successorId'], { where: 'successor_id IS NOT NULL' })
@Index('api_keys_rotator', ['rotatorId'], { where: 'rotator_id IS NOT NULL' })
export class Key {
  @PrimaryGeneratedColumn('uuid')
  readonly id: string;

  /** Null for admin keys. */
  @Column({ type: 'uuid', nullable: true })
  @ForeignKey(() => Account, { onDelete: 'CASCADE' })
  readonly accountId: string | null;

  @Column({ type: 'text' })
  readonly kind: KeyKind;

  /** This column is read only where a query names it: lists of keys do not need it. */
  @Column({ type: 'bytea', select: false })
  readonly tokenHash: Buffer;

  @Column({ type: 'text' })
  readonly lastFour: string;

  @Column({ type: 'text', nullable: true })
  readonly name: string | null;

  @Column({ type: 'text', array: true, nullable: true, comment: 'null: all' })
  readonly permissions: HeldPermissions;

  @Column({ type: 'text', array: true, nullable: true, comment: 'CIDR; null: everywhere' })
  readonly networks: readonly string[] | null;

  @Column({
    type: 'uuid',
    nullable: true,
    comment: 'null: the key may spend what its account has; of an agent: nothing beyond its free credits',
  })
  @ForeignKey(() => KeyCeiling)
  readonly ceilingId: string | null;

  @Column({ type: 'timestamptz' })
  readonly createdAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  readonly expiresAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  readonly lastUsedAt: Date | null;

  @Column({
    type: 'timestamptz',
    nullable: true,
    comment: 'refused from then on; in the future while a rotated key has its grace',
  })
  readonly revokedAt: Date | null;

  /** Without a foreign key, whose check at every deleted agent would read the whole table; a key goes only with its account. */
  @Column({ type: 'uuid', nullable: true, comment: 'the key that rotation put in its place' })
  readonly successorId: string | null;

  @Column({
    type: 'text',
    nullable: true,
    comment: 'null: an agent that registered itself, or a key older than this column',
  })
  readonly makerKind: MakerKind | null;

  /** Without a foreign key, as the successor; a successor has the maker of the key in whose place it is. */
  @Column({
    type: 'uuid',
    nullable: true,
    comment: 'the key that made it, or of an agent that claimed it; null: the command line',
  })
  readonly makerId: string | null;

  /** Without a foreign key, as the maker. Whoever rotates a key gets the token of its successor, whoever made the key. */
  @Column({
    type: 'uuid',
    nullable: true,
    comment: 'the key that put it in the place of another; null: it is in no place of another, or by the command line',
  })
  readonly rotatorId: string | null;
}
