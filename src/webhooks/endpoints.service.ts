import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DAY_MS } from '../lib/durations.js';
import { recordAccountAction } from '../keys/account-actions.js';
import { isOwn, type Owner, ownerOf } from '../keys/access/owner.js';
import { checkHolds } from '../keys/scope/key-scope.js';
import type { Principal } from '../keys/access/principal.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import { type IdempotencyClaim, runInTransaction } from '../idempotency/idempotency-claim.js';
import { byCreation, Listing, type Page, type PageInput } from '../platform/http/listing.js';
import { MAX_INCLUDED_RESULTS } from '../events/event-contents.js';
import { addToOutbox, ROW_EVENTS } from '../events/outbox.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import { type Endpoint, type EndpointChange, EndpointStore } from './endpoint.store.js';
import { WorkNotifier } from '../platform/queue/work-notifier.js';
import { WEBHOOK_QUEUE } from './webhook-queue.js';

export type { Endpoint, EndpointChange };

export interface EndpointRequest {
  /** The stored form of `EndpointUrls`. */
  readonly url: string;
  readonly events: readonly string[];
  readonly includeResults: number;
}

export interface SecretEndpoint {
  readonly endpoint: Endpoint;
  /** The secret in clear, for the reply; the table has it sealed. */
  readonly secret: string;
}

/** The endpoint of a batch's own URL. */
export interface BatchEndpoint {
  readonly id: string;
  /** Null when the endpoint existed before: its secret was shown then. */
  readonly secret: string | null;
}

const ENDPOINTS = new Listing('webhooks', 'uuid');

/** The time after a rotation in which the previous secret signs too. */
const ROTATION_MS = DAY_MS;
/**
 * The most endpoints of an account in each mode: a runaway program must neither fill the table nor send to strangers without end.
 */
const MAX_ENDPOINTS = 100;

/** Changes endpoints and deliveries, and wakes a worker once the change is committed. */
@Injectable()
export class WebhookChangesService {
  constructor(
    private readonly database: DataSource,
    private readonly notifier: WorkNotifier,
  ) {}

  /** Runs a change; with an idempotency claim it is committed together with the kept reply. */
  change<T>(work: (tx: EntityManager) => Promise<T>, claim: IdempotencyClaim | null): Promise<T> {
    return runInTransaction(this.database, claim, work, () => this.notifier.notify(WEBHOOK_QUEUE));
  }
}

/** The endpoints of an owner, to whom those of other accounts and of the account's other mode do not exist. */
@Injectable()
export class EndpointsService {
  constructor(
    private readonly database: DataSource,
    private readonly store: EndpointStore,
    private readonly secrets: EndpointSecrets,
    private readonly changes: WebhookChangesService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** @throws AppError `permission_missing`, `endpoint_exists`, `too_many_endpoints` */
  create(principal: Principal, request: EndpointRequest, claim: IdempotencyClaim | null): Promise<SecretEndpoint> {
    const made = { ...request, createdVia: 'api' } as const;
    checkMayGetRows(principal, made);
    return this.changes.change(async (tx) => {
      const added = await this.add(tx, principal, made);
      if (added === null) throw new AppError('endpoint_exists');
      return added;
    }, claim);
  }

  /** Newest first. */
  list(principal: Principal, query: PageInput): Promise<Page<Endpoint>> {
    const owner = ownerOf(principal);
    return ENDPOINTS.page(query, (request) => this.store.list(owner, request), byCreation);
  }

  /** @throws AppError `webhook_not_found` */
  get(principal: Principal, id: string): Promise<Endpoint> {
    return this.getIn(this.database.manager, principal, id);
  }

  /** @throws AppError `webhook_not_found` */
  async getIn(tx: EntityManager, principal: Principal, id: string): Promise<Endpoint> {
    const endpoint = await this.store.find(tx, id);
    if (endpoint === null || !isOwn(ownerOf(principal), endpoint)) throw new AppError('webhook_not_found');
    return endpoint;
  }

  /**
   * Changes an endpoint. One that is enabled again gets its waiting deliveries. A new URL must be confirmed.
   * @throws AppError `webhook_not_found`, `permission_missing`, `endpoint_exists`
   */
  update(principal: Principal, id: string, change: EndpointChange): Promise<Endpoint> {
    return this.changes.change(async (tx) => {
      // The lock of the account's URLs comes before the lock of the row, as for a batch that names a URL.
      if (change.url !== null) await this.store.lockUrls(tx, ownerOf(principal));
      const before = await this.lockIn(tx, principal, id);
      if (!isOnlyDisabled(change)) {
        checkMayGetRows(principal, before);
        checkMayGetRows(principal, afterChange(before, change));
      }
      // What waits, and what was sent and may be sent again, goes to the new URL.
      if (change.url !== null && (await this.store.hasDeliveriesOf(tx, id, ROW_EVENTS)))
        checkHolds(principal.scope, ['results'], CARRIES_ROWS);
      const endpoint = await this.store.update(tx, id, change, this.clock.date());
      if (endpoint === null) throw new AppError('endpoint_exists');
      if (endpoint.url !== before.url) await this.sendTest(tx, endpoint, NEW_URL);
      const { includeResults: include_results, ...others } = change;
      const changed = Object.entries({ ...others, include_results }).flatMap(([name, value]) =>
        value === null ? [] : [name],
      );
      await recordAccountAction(tx, principal, this.clock.date(), 'webhook.change', {
        ...detailsOf(endpoint),
        changed,
      });
      return endpoint;
    }, null);
  }

  /** @throws AppError `webhook_not_found` */
  rotateSecret(principal: Principal, id: string, claim: IdempotencyClaim | null): Promise<SecretEndpoint> {
    return this.changes.change(async (tx) => {
      await this.lockIn(tx, principal, id);
      const { secret, sealed } = this.secrets.make(id);
      const previousExpiresAt = new Date(this.clock.now() + ROTATION_MS);
      const endpoint = await this.store.rotateSecret(tx, id, sealed, previousExpiresAt);
      if (endpoint === null) throw new AppError('webhook_not_found');
      await recordAccountAction(tx, principal, this.clock.date(), 'webhook.rotate_secret', detailsOf(endpoint));
      return { endpoint, secret };
    }, claim);
  }

  /** Deletes an endpoint with all its deliveries. @throws AppError `webhook_not_found` */
  async remove(principal: Principal, id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const endpoint = await this.lockIn(tx, principal, id);
      await this.store.delete(tx, id);
      await recordAccountAction(tx, principal, this.clock.date(), 'webhook.delete', detailsOf(endpoint));
    });
  }

  /**
   * The endpoint for a batch that names a URL: the owner's endpoint with this URL, or a new one.
   * @param url in the stored form of `EndpointUrls`
   * @throws AppError `too_many_endpoints`
   */
  async ensureForBatch(tx: EntityManager, principal: Principal, url: string): Promise<BatchEndpoint> {
    const known = await this.store.findForBatch(tx, { ...ownerOf(principal), url });
    if (known !== null) {
      const details = { ...detailsOf({ ...known, url, enabled: true }), changed: ['enabled'] };
      if (known.isReenabled) await recordAccountAction(tx, principal, this.clock.date(), 'webhook.change', details);
      return { id: known.id, secret: null };
    }
    const made = { url, events: [], includeResults: MAX_INCLUDED_RESULTS, createdVia: 'batch' } as const;
    const added = await this.add(tx, principal, made);
    // Another batch has created it while this one waited for the lock.
    return added === null ? this.ensureForBatch(tx, principal, url) : { id: added.endpoint.id, secret: added.secret };
  }

  /** @returns null when the URL is registered already. @throws AppError `too_many_endpoints` */
  private async add(
    tx: EntityManager,
    principal: Principal,
    made: Pick<Endpoint, 'url' | 'events' | 'includeResults' | 'createdVia'>,
  ): Promise<SecretEndpoint | null> {
    const owner = ownerOf(principal);
    await this.checkCount(tx, owner);
    const id = randomUUID();
    const { secret, sealed } = this.secrets.make(id);
    const row = { ...made, ...owner, id, createdAt: this.clock.date(), secret: sealed };
    const endpoint = await this.store.insert(tx, row);
    if (endpoint === null) return null;
    await this.sendTest(tx, endpoint, NEW_URL);
    await recordAccountAction(tx, principal, this.clock.date(), 'webhook.create', detailsOf(endpoint));
    return { endpoint, secret };
  }

  /** Sends the endpoint a `webhook.test`. @returns the id of the delivery */
  async sendTest(tx: EntityManager, { id, accountId, simulated, url }: Endpoint, message: string): Promise<string> {
    const event = { type: 'webhook.test', at: this.clock.date(), data: { endpoint_id: id, message } } as const;
    const [delivery] = await addToOutbox(tx, { accountId, simulated, ...event, batchId: null, url });
    return delivery!;
  }

  /** Checks the limit exactly: the second of two concurrent requests counts after the first one's commit. */
  private async checkCount(tx: EntityManager, owner: Owner): Promise<void> {
    await this.store.lockUrls(tx, owner);
    if ((await this.store.count(tx, owner)) >= MAX_ENDPOINTS)
      throw new AppError('too_many_endpoints', { message: TOO_MANY });
  }

  private async lockIn(tx: EntityManager, principal: Principal, id: string): Promise<Endpoint> {
    const endpoint = await this.store.lock(tx, id);
    if (endpoint === null || !isOwn(ownerOf(principal), endpoint)) throw new AppError('webhook_not_found');
    return endpoint;
  }
}

const NEW_URL = 'This URL is to be told of events. Answer with a 2xx status, and they carry results from then on.';
const TOO_MANY = `An account has ${MAX_ENDPOINTS} endpoints in each mode at most, those of its batches included: delete one, or name the URL of one.`;

type RowReceiver = Pick<Endpoint, 'events' | 'createdVia'>;

function afterChange(before: RowReceiver, { events }: EndpointChange): RowReceiver {
  return events === null ? before : { events, createdVia: 'api' };
}

function isOnlyDisabled({ url, events, includeResults, enabled }: EndpointChange): boolean {
  return enabled === false && url === null && events === null && includeResults === null;
}

/**
 * Rows that a key may not read it sends nowhere: also where `include_results` is 0, the event has a link that opens them.
 * @throws AppError `permission_missing`
 */
function checkMayGetRows({ scope }: Principal, { events, createdVia }: RowReceiver): void {
  const hasRowEvents = createdVia === 'batch' || ROW_EVENTS.some((type) => events.includes(type));
  if (hasRowEvents) checkHolds(scope, ['webhooks', 'results'], CARRIES_ROWS);
}

const CARRIES_ROWS = `which endpoints of ${ROW_EVENTS.join(' and ')} need, because these events carry result rows or a link to them: choose other events, or use a key with "results"`;

/** The URL for the audit log, without path and query, in which customers keep tokens. */
function detailsOf({ id, url, enabled }: Pick<Endpoint, 'id' | 'url' | 'enabled'>) {
  return { webhook_id: id, host: new URL(url).host, enabled };
}
