import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { PageRequest } from '../platform/http/page.js';
import type { OptOut, OptOutKind, OptOutSubject } from './opt-out-subject.js';

const COLUMNS = 'id, kind, name, reason, made_by AS "madeBy", made_at AS "madeAt", ends_at AS "endsAt"';

/** More than all who have ever asked; the oldest hold. */
const MAX_KNOWN = 1_000_000;

@Injectable()
export class OptOutStore {
  constructor(private readonly database: DataSource) {}

  transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.database.transaction(work);
  }

  /** Newest first; one more than the page holds, when there are more. */
  list(now: Date, { limit, after }: PageRequest): Promise<OptOut[]> {
    return this.database.query(
      `SELECT ${COLUMNS} FROM opt_outs
        WHERE ends_at > $1 AND ($2::timestamptz IS NULL OR (made_at, id) < ($2, $3::uuid))
        ORDER BY made_at DESC, id DESC LIMIT $4`,
      [now, after?.at, after?.id, limit + 1],
    );
  }

  /** Changes whenever the opt-outs do. */
  async state(): Promise<string> {
    const [row]: { state: string }[] = await this.database.query(
      `SELECT count(*) || ' ' || coalesce(max(made_at)::text, '') AS state FROM opt_outs`,
    );
    return row!.state;
  }

  all(): Promise<Pick<OptOut, 'kind' | 'name' | 'endsAt'>[]> {
    return this.database.query(
      `SELECT kind, name, ends_at AS "endsAt" FROM opt_outs ORDER BY made_at LIMIT ${MAX_KNOWN}`,
    );
  }

  /** Takes the place of an earlier one of the same name. */
  async put(tx: EntityManager, { kind, name, reason, madeBy, madeAt, endsAt }: Omit<OptOut, 'id'>): Promise<OptOut> {
    const [row]: OptOut[] = await tx.query(
      `INSERT INTO opt_outs (kind, name, reason, made_by, made_at, ends_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (kind, name) DO UPDATE
         SET reason = excluded.reason, made_by = excluded.made_by, made_at = excluded.made_at, ends_at = excluded.ends_at
       RETURNING ${COLUMNS}`,
      [kind, name, reason, madeBy, madeAt, endsAt],
    );
    return row!;
  }

  async delete(tx: EntityManager, id: string): Promise<OptOut | null> {
    const [rows]: [OptOut[], number] = await tx.query(`DELETE FROM opt_outs WHERE id = $1 RETURNING ${COLUMNS}`, [id]);
    return rows[0] ?? null;
  }

  /** @returns how many this has deleted, `limit` at most */
  async deleteEnded(now: Date, limit: number): Promise<number> {
    const [, deleted]: [unknown[], number] = await this.database.query(
      'DELETE FROM opt_outs WHERE id IN (SELECT id FROM opt_outs WHERE ends_at <= $1 ORDER BY ends_at LIMIT $2) AND ends_at <= $1',
      [now, limit],
    );
    return deleted;
  }

  /** Those that ended go at the same time. */
  async putLink(tokenHash: Buffer, { kind, name }: OptOutSubject, now: Date, endsAt: Date): Promise<void> {
    await this.database.query('DELETE FROM opt_out_links WHERE ends_at <= $1', [now]);
    await this.database.query('INSERT INTO opt_out_links (token_hash, kind, name, ends_at) VALUES ($1, $2, $3, $4)', [
      tokenHash,
      kind,
      name,
      endsAt,
    ]);
  }

  async findLink(tokenHash: Buffer, now: Date): Promise<OptOutSubject | null> {
    const rows: OptOutSubject[] = await this.database.query(
      'SELECT kind, name FROM opt_out_links WHERE token_hash = $1 AND ends_at > $2',
      [tokenHash, now],
    );
    return rows[0] ?? null;
  }

  /** A link works once. */
  async takeLink(tx: EntityManager, tokenHash: Buffer, now: Date): Promise<OptOutSubject | null> {
    const [rows]: [{ kind: OptOutKind; name: string }[], number] = await tx.query(
      'DELETE FROM opt_out_links WHERE token_hash = $1 AND ends_at > $2 RETURNING kind, name',
      [tokenHash, now],
    );
    return rows[0] ?? null;
  }
}
