import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Owner } from './owner.js';
import { Session } from './session.entity.js';

export type { Session };

/** A session that lasts, with the hash of its key's token, by which callers are known. */
export interface SessionOfKey extends Session {
  readonly tokenHash: Buffer;
}

const FIND = `
  SELECT s.id_hash AS "idHash", s.key_id AS "keyId", s.actor_kind AS "actorKind", s.created_at AS "createdAt",
         s.seen_at AS "seenAt", s.expires_at AS "expiresAt", s.client_address AS "clientAddress",
         s.user_agent AS "userAgent", k.token_hash AS "tokenHash"
    FROM console_sessions s JOIN api_keys k ON k.id = s.key_id
   WHERE s.id_hash = $1 AND s.expires_at > $2`;

/** Rows that somebody else deletes at the moment are theirs: nobody waits here. */
const DELETE_EXPIRED = `
  DELETE FROM console_sessions WHERE id_hash = ANY (ARRAY(
    SELECT id_hash FROM console_sessions WHERE expires_at <= $1 FOR UPDATE SKIP LOCKED))`;

/** Those who change several sessions of one key take turns: else each could wait for a row that the other holds. */
const TAKE_TURN = `SELECT 1 FROM api_keys WHERE id = $1 FOR NO KEY UPDATE`;

/** All but the newest ones of a key. */
const DELETE_OLDEST = `
  DELETE FROM console_sessions WHERE id_hash IN (
    SELECT id_hash FROM console_sessions WHERE key_id = $1 ORDER BY created_at DESC, id_hash OFFSET $2)`;

@Injectable()
export class SessionStore {
  constructor(private readonly database: DataSource) {}

  async find(idHash: Buffer, now: Date): Promise<SessionOfKey | null> {
    const rows: SessionOfKey[] = await this.database.query(FIND, [idHash, now]);
    return rows[0] ?? null;
  }

  /** The sessions that last, of an owner's own keys, newest first. */
  listOf({ accountId, simulated }: Owner, now: Date): Promise<Session[]> {
    return this.database.query(
      `SELECT s.id_hash AS "idHash", s.key_id AS "keyId", s.actor_kind AS "actorKind", s.created_at AS "createdAt",
              s.seen_at AS "seenAt", s.expires_at AS "expiresAt", host(s.client_address) AS "clientAddress",
              s.user_agent AS "userAgent"
         FROM console_sessions s JOIN api_keys k ON k.id = s.key_id
        WHERE k.account_id = $1 AND (k.kind = 'test') = $2 AND s.expires_at > $3 ORDER BY s.created_at DESC, s.id_hash`,
      [accountId, simulated, now],
    );
  }

  /** Adds a session; those that have expired go, whosever they are, and of the key's own all but the newest. */
  async add(session: Session, maxOfKey: number): Promise<void> {
    await this.database.query(DELETE_EXPIRED, [session.createdAt]);
    await this.database.transaction(async (tx) => {
      await tx.query(TAKE_TURN, [session.keyId]);
      await tx.insert(Session, session);
      await tx.query(DELETE_OLDEST, [session.keyId, maxOfKey]);
    });
  }

  async extend({ idHash }: Session, seenAt: Date, expiresAt: Date): Promise<void> {
    await this.database.manager.update(Session, { idHash }, { seenAt, expiresAt });
  }

  async delete(idHash: Buffer, tx: EntityManager = this.database.manager): Promise<void> {
    await tx.delete(Session, { idHash });
  }

  async deleteOfKey(keyId: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.query(TAKE_TURN, [keyId]);
      await tx.delete(Session, { keyId });
    });
  }
}
