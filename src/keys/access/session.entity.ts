import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Key } from './key.entity.js';

@Entity('console_sessions')
@Check('console_sessions_id_hash_check', 'octet_length(id_hash) = 32')
@Check('console_sessions_actor_kind_check', `actor_kind IN ('key')`)
@Index('console_sessions_key', ['keyId', 'createdAt'])
@Index('console_sessions_expiry', ['expiresAt'])
export class Session {
  @PrimaryColumn({ type: 'bytea', comment: 'SHA-256 of what the cookie holds' })
  readonly idHash: Buffer;

  @Column({ type: 'uuid' })
  @ForeignKey(() => Key, { onDelete: 'CASCADE' })
  readonly keyId: string;

  @Column({ type: 'text', comment: 'who acts: today always the holder of the key' })
  readonly actorKind: 'key';

  @Column({ type: 'timestamptz' })
  readonly createdAt: Date;

  @Column({ type: 'timestamptz' })
  readonly seenAt: Date;

  @Column({ type: 'timestamptz', comment: 'moves on with use, up to seven days after it was made' })
  readonly expiresAt: Date;

  @Column({ type: 'inet', nullable: true, comment: 'personal data: of the sign-in, gone with the session' })
  readonly clientAddress: string | null;

  @Column({ type: 'text', nullable: true })
  readonly userAgent: string | null;
}
