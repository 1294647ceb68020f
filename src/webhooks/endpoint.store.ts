import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Owner } from '../keys/owner.js';
import type { PageRequest } from '../platform/http/page.js';

export type DisabledReason = 'owner' | 'gone' | 'failing';

/** Where an account is told of events. Its secrets stay in the store. */
export interface Endpoint {
  readonly id: string;
  readonly accountId: string;
  /** Of test keys: told only of what they do. */
  readonly simulated: boolean;
  readonly url: string;
  readonly events: readonly string[];
  readonly madeBy: 'api' | 'batch';
  readonly createdAt: Date;
  readonly enabled: boolean;
  readonly disabledReason: DisabledReason | null;
  readonly disabledAt: Date | null;
  readonly oldSecretUntil: Date | null;
  readonly lastSuccessAt: Date | null;
  readonly failingSince: Date | null;
  /** When the present URL answered 2xx first; null: it has not, so it gets no results. */
  readonly confirmedAt: Date | null;
}

export interface NewEndpoint extends Pick<Endpoint, 'id' | 'accountId' | 'simulated' | 'url' | 'events' | 'createdAt'> {
  /** Sealed. */
  readonly secret: Buffer;
}

export interface EndpointChange {
  /** Null: as it is. */
  readonly url: string | null;
  readonly events: readonly string[] | null;
  readonly enabled: boolean | null;
}

const COLUMNS = `id, account_id AS "accountId", simulated, url, events, made_by AS "madeBy", created_at AS "createdAt",
  enabled, disabled_reason AS "disabledReason", disabled_at AS "disabledAt", old_secret_until AS "oldSecretUntil",
  last_success_at AS "lastSuccessAt", failing_since AS "failingSince", confirmed_at AS "confirmedAt"`;

export interface SealedSecrets {
  readonly id: string;
  readonly secret: Buffer;
  readonly oldSecret: Buffer | null;
}

@Injectable()
export class EndpointStore {
  constructor(private readonly database: DataSource) {}

  /**
   * Whoever counts the endpoints of an account does it alone until the transaction ends. An advisory lock, because a batch's transaction
   * already holds the balance, which others lock after the account.
   */
  async lockUrls(tx: EntityManager, { accountId, simulated }: Owner): Promise<void> {
    const what = `webhook URLs of ${accountId} ${simulated}`;
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [what]);
  }

  /** @returns null when the URL is registered already */
  async insert(tx: EntityManager, endpoint: NewEndpoint): Promise<Endpoint | null> {
    const { id, accountId, simulated, url, events, createdAt, secret } = endpoint;
    const rows: Endpoint[] = await tx.query(
      `INSERT INTO webhook_endpoints (id, account_id, simulated, url, events, made_by, created_at, secret)
       VALUES ($1, $2, $3, $4, $5, 'api', $6, $7) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
      [id, accountId, simulated, url, events, createdAt, secret],
    );
    return rows[0] ?? null;
  }

  /** @returns null when the URL is registered already */
  async insertForBatch(tx: EntityManager, endpoint: Omit<NewEndpoint, 'events'>): Promise<Endpoint | null> {
    const { id, accountId, simulated, url, createdAt, secret } = endpoint;
    const rows: Endpoint[] = await tx.query(
      `INSERT INTO webhook_endpoints (id, account_id, simulated, url, events, made_by, created_at, secret)
       VALUES ($1, $2, $3, $4, '{}', 'batch', $5, $6) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
      [id, accountId, simulated, url, createdAt, secret],
    );
    return rows[0] ?? null;
  }

  /**
   * The account's endpoint with this URL, for a batch that names it. What was made for batches is switched on again, since the URL is
   * named anew; what the account has registered stays as the account wants it.
   */
  async nameAgain(
    tx: EntityManager,
    { accountId, simulated, url }: Pick<NewEndpoint, 'accountId' | 'simulated' | 'url'>,
  ): Promise<{ id: string; isSwitchedOn: boolean } | null> {
    const [switchedOn]: [unknown[], number] = await tx.query(
      `UPDATE webhook_endpoints
          SET enabled = true, disabled_reason = NULL, disabled_at = NULL, failing_since = NULL, paused_until = NULL
        WHERE account_id = $1 AND simulated = $2 AND url = $3 AND made_by = 'batch' AND NOT enabled
        RETURNING id`,
      [accountId, simulated, url],
    );
    const rows: { id: string }[] = await tx.query(
      'SELECT id FROM webhook_endpoints WHERE account_id = $1 AND simulated = $2 AND url = $3',
      [accountId, simulated, url],
    );
    return rows[0] === undefined ? null : { ...rows[0], isSwitchedOn: switchedOn.length > 0 };
  }

  /** Registered and made by batches alike. */
  async count(tx: EntityManager, { accountId, simulated }: Owner): Promise<number> {
    const [row]: { count: number }[] = await tx.query(
      'SELECT count(*) FROM webhook_endpoints WHERE account_id = $1 AND simulated = $2',
      [accountId, simulated],
    );
    return row!.count;
  }

  /** As `find`, and nobody else changes it before the transaction ends. */
  async lock(tx: EntityManager, id: string): Promise<Endpoint | null> {
    const rows: Endpoint[] = await tx.query(`SELECT ${COLUMNS} FROM webhook_endpoints WHERE id = $1 FOR UPDATE`, [id]);
    return rows[0] ?? null;
  }

  async find(tx: EntityManager, id: string): Promise<Endpoint | null> {
    const rows: Endpoint[] = await tx.query(`SELECT ${COLUMNS} FROM webhook_endpoints WHERE id = $1`, [id]);
    return rows[0] ?? null;
  }

  /** Newest first; one more than the page holds, when there are more. */
  list({ accountId, simulated }: Owner, { limit, after }: PageRequest): Promise<Endpoint[]> {
    return this.database.query(
      `SELECT ${COLUMNS} FROM webhook_endpoints
        WHERE account_id = $1 AND simulated = $2
          AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::uuid))
        ORDER BY created_at DESC, id DESC LIMIT $5`,
      [accountId, simulated, after?.at, after?.id, limit + 1],
    );
  }

  /** @returns null when another endpoint of the account has the URL, or when this one is gone */
  async update(tx: EntityManager, id: string, change: EndpointChange, at: Date): Promise<Endpoint | null> {
    const [rows]: [Endpoint[], number] = await tx.query(
      `UPDATE webhook_endpoints AS one
          SET url = coalesce($2::text, url), confirmed_at = CASE WHEN url = coalesce($2, url) THEN confirmed_at END,
              events = coalesce($3::text[], events), enabled = coalesce($4, enabled),
              made_by = CASE WHEN $3 IS NULL THEN made_by ELSE 'api' END,
              disabled_reason = CASE WHEN $4 THEN NULL WHEN NOT $4 AND enabled THEN 'owner' ELSE disabled_reason END,
              disabled_at = CASE WHEN $4 THEN NULL WHEN NOT $4 AND enabled THEN $5::timestamptz ELSE disabled_at END,
              failing_since = CASE WHEN $4 THEN NULL ELSE failing_since END,
              paused_until = CASE WHEN $4 THEN NULL ELSE paused_until END
        WHERE id = $1
          AND NOT EXISTS (SELECT FROM webhook_endpoints other
                           WHERE other.account_id = one.account_id AND other.simulated = one.simulated
                             AND other.url = $2 AND other.id <> one.id)
        RETURNING ${COLUMNS}`,
      [id, change.url, change.events, change.enabled, at],
    );
    return rows[0] ?? null;
  }

  /** The present secret signs too until `oldUntil`. */
  async rotateSecret(tx: EntityManager, id: string, secret: Buffer, oldUntil: Date): Promise<Endpoint | null> {
    const [rows]: [Endpoint[], number] = await tx.query(
      `UPDATE webhook_endpoints SET secret = $2, old_secret = secret, old_secret_until = $3 WHERE id = $1
       RETURNING ${COLUMNS}`,
      [id, secret, oldUntil],
    );
    return rows[0] ?? null;
  }

  /** With its deliveries. */
  async delete(tx: EntityManager, id: string): Promise<void> {
    await tx.query('DELETE FROM webhook_endpoints WHERE id = $1', [id]);
  }

  /** Those that were sealed with an older key. */
  findSealedBefore(prefix: Buffer, limit: number): Promise<SealedSecrets[]> {
    return this.database.query(
      `SELECT id, secret, old_secret AS "oldSecret" FROM webhook_endpoints
        WHERE substring(secret FROM 1 FOR length($1::bytea)) <> $1 ORDER BY id LIMIT $2`,
      [prefix, limit],
    );
  }

  /** Nothing happens when it was rotated meanwhile. */
  async reseal(id: string, before: Buffer, secret: Buffer, oldSecret: Buffer | null): Promise<void> {
    await this.database.query(
      'UPDATE webhook_endpoints SET secret = $3, old_secret = $4 WHERE id = $1 AND secret = $2',
      [id, before, secret, oldSecret],
    );
  }
}
