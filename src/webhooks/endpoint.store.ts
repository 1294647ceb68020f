import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Owner } from '../keys/access/owner.js';
import { newestFirst } from '../platform/database/newest-first.js';
import type { PageRequest } from '../platform/http/page.js';
import { WebhookEndpoint } from './endpoint.entity.js';

/** An endpoint as its owner sees it: its secrets stay in the store, and what only workers need with them. */
export type Endpoint = Omit<
  WebhookEndpoint,
  'secret' | 'previousSecret' | 'pausedUntil' | 'lane' | 'leaseOwner' | 'leaseExpiresAt'
>;

export interface NewEndpoint extends Pick<
  Endpoint,
  'id' | 'accountId' | 'simulated' | 'url' | 'events' | 'includeResults' | 'createdAt' | 'createdVia'
> {
  /** Sealed. */
  readonly secret: Buffer;
}

export interface EndpointChange {
  /** Null: as it is. */
  readonly url: string | null;
  readonly events: readonly string[] | null;
  readonly includeResults: number | null;
  readonly enabled: boolean | null;
}

export type SealedSecrets = Pick<WebhookEndpoint, 'id' | 'secret' | 'previousSecret'>;

@Injectable()
export class EndpointStore {
  constructor(private readonly database: DataSource) {}

  /**
   * Lets one transaction at a time count and add endpoints of an owner. It is an advisory lock, because the transaction of a batch
   * already holds the balance, which others lock after the account.
   */
  async lockUrls(tx: EntityManager, { accountId, simulated }: Owner): Promise<void> {
    const what = `webhook URLs of ${accountId} ${simulated}`;
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [what]);
  }

  /** Whether there are deliveries of these events, also such as have ended and may be sent again. */
  async hasDeliveriesOf(tx: EntityManager, id: string, types: readonly string[]): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `SELECT FROM webhook_deliveries AS delivery JOIN webhook_events AS event ON event.id = delivery.event_id
        WHERE delivery.endpoint_id = $1 AND event.type = ANY ($2) LIMIT 1`,
      [id, types],
    );
    return rows.length > 0;
  }

  /** @returns null when the URL is registered already */
  async insert(tx: EntityManager, { events, ...columns }: NewEndpoint): Promise<Endpoint | null> {
    await tx
      .createQueryBuilder()
      .insert()
      .into(WebhookEndpoint)
      .values({ ...columns, events: [...events] })
      .orIgnore()
      .updateEntity(false)
      .execute();
    return this.find(tx, columns.id);
  }

  /**
   * Finds the owner's endpoint with this URL, for a batch that names it. An endpoint that batches created is enabled again; one that the
   * account has registered stays as the account has set it.
   */
  async findForBatch(
    tx: EntityManager,
    { accountId, simulated, url }: Pick<NewEndpoint, 'accountId' | 'simulated' | 'url'>,
  ): Promise<{ id: string; isReenabled: boolean } | null> {
    const { affected } = await tx.update(
      WebhookEndpoint,
      { accountId, simulated, url, createdVia: 'batch', enabled: false },
      { enabled: true, disabledReason: null, disabledAt: null, failingSince: null, pausedUntil: null },
    );
    const known = await tx.findOneBy(WebhookEndpoint, { accountId, simulated, url });
    return known === null ? null : { id: known.id, isReenabled: affected === 1 };
  }

  /** Counts registered endpoints and those that batches created. */
  count(tx: EntityManager, { accountId, simulated }: Owner): Promise<number> {
    return tx.countBy(WebhookEndpoint, { accountId, simulated });
  }

  /** As `find`; no other transaction changes the row before this one ends. */
  lock(tx: EntityManager, id: string): Promise<Endpoint | null> {
    return tx.findOne(WebhookEndpoint, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  find(tx: EntityManager, id: string): Promise<Endpoint | null> {
    return tx.findOneBy(WebhookEndpoint, { id });
  }

  /** Newest first; one more than the page holds, when there are more. */
  list({ accountId, simulated }: Owner, request: PageRequest): Promise<Endpoint[]> {
    const query = this.database.getRepository(WebhookEndpoint).createQueryBuilder('endpoint');
    return newestFirst(query.where({ accountId, simulated }), request);
  }

  /** Of both modes, newest first. @param limit most endpoints */
  listOfAccount(accountId: string, limit: number): Promise<Endpoint[]> {
    const order = { createdAt: 'DESC', id: 'DESC' } as const;
    return this.database.manager.find(WebhookEndpoint, { where: { accountId }, order, take: limit });
  }

  /** @returns null when another endpoint of the account has the URL, or when this one is gone */
  async update(tx: EntityManager, id: string, change: EndpointChange, at: Date): Promise<Endpoint | null> {
    const [, changed]: [unknown, number] = await tx.query(
      `UPDATE webhook_endpoints AS one
          SET url = coalesce($2::text, url), confirmed_at = CASE WHEN url = coalesce($2, url) THEN confirmed_at END,
              events = coalesce($3::text[], events), enabled = coalesce($4, enabled),
              include_results = coalesce($6, include_results),
              created_via = CASE WHEN $3 IS NULL THEN created_via ELSE 'api' END,
              disabled_reason = CASE WHEN $4 THEN NULL WHEN NOT $4 AND enabled THEN 'owner' ELSE disabled_reason END,
              disabled_at = CASE WHEN $4 THEN NULL WHEN NOT $4 AND enabled THEN $5::timestamptz ELSE disabled_at END,
              failing_since = CASE WHEN $4 AND NOT enabled THEN NULL ELSE failing_since END,
              paused_until = CASE WHEN $4 AND NOT enabled THEN NULL ELSE paused_until END
        WHERE id = $1
          AND NOT EXISTS (SELECT FROM webhook_endpoints other
                           WHERE other.account_id = one.account_id AND other.simulated = one.simulated
                             AND other.url = $2 AND other.id <> one.id)`,
      [id, change.url, change.events, change.enabled, at, change.includeResults],
    );
    return changed === 0 ? null : this.find(tx, id);
  }

  /** The present secret signs too until `previousExpiresAt`. */
  async rotateSecret(tx: EntityManager, id: string, secret: Buffer, previousExpiresAt: Date): Promise<Endpoint | null> {
    await tx.update(
      WebhookEndpoint,
      { id },
      { secret, previousSecret: () => 'secret', previousSecretExpiresAt: previousExpiresAt },
    );
    return this.find(tx, id);
  }

  /** Its deliveries go with it. */
  async delete(tx: EntityManager, id: string): Promise<void> {
    await tx.delete(WebhookEndpoint, { id });
  }

  /** Endpoints whose secrets an older key has sealed. */
  findSealedBefore(prefix: Buffer, limit: number): Promise<SealedSecrets[]> {
    return this.database
      .getRepository(WebhookEndpoint)
      .createQueryBuilder('endpoint')
      .select(['endpoint.id', 'endpoint.secret', 'endpoint.previousSecret'])
      .where('substring(endpoint.secret FROM 1 FOR :length) <> :prefix', { length: prefix.length, prefix })
      .orderBy('endpoint.id')
      .limit(limit)
      .getMany();
  }

  /** Does nothing when the secret was rotated meanwhile. */
  async reseal(id: string, before: Buffer, secret: Buffer, previousSecret: Buffer | null): Promise<void> {
    await this.database
      .createQueryBuilder()
      .update(WebhookEndpoint)
      .set({ secret, previousSecret })
      .where('id = :id AND secret = :before', { id, before })
      .execute();
  }
}
