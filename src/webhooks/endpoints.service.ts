import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { recordOwnAct } from '../keys/own-acts.js';
import { isOwn, type Owner, ownerOf } from '../keys/owner.js';
import type { Principal } from '../keys/principal.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import type { Claim } from '../platform/http/claim.js';
import { Listing, type Page, type PageQuery } from '../platform/http/page.js';
import { addToOutbox } from '../platform/outbox/outbox.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import { type Endpoint, type EndpointChange, EndpointStore } from './endpoint.store.js';
import { WebhookChangesService } from './webhook-changes.service.js';

export type { Endpoint, EndpointChange };

export interface EndpointRequest {
  /** As `EndpointUrls` gave it. */
  readonly url: string;
  readonly events: readonly string[];
}

export interface SecretEndpoint {
  readonly endpoint: Endpoint;
  /** Shown to whoever asked, and kept sealed. */
  readonly secret: string;
}

/** The endpoint of a batch's own URL. */
export interface BatchEndpoint {
  readonly id: string;
  /** Null when the endpoint was there before: then its secret was shown already. */
  readonly secret: string | null;
}

const ENDPOINTS = new Listing('webhooks', 'uuid');

/** Both secrets sign for so long after a rotation. */
const ROTATION_MS = 24 * 3_600_000;
/** In each mode. More than anybody has systems; a program that runs wild must not fill the table, nor aim at strangers without end. */
const MOST_ENDPOINTS = 100;

/** The endpoints of an owner. Those of other accounts, and of the account's other mode, do not exist. */
@Injectable()
export class EndpointsService {
  constructor(
    private readonly database: DataSource,
    private readonly store: EndpointStore,
    private readonly secrets: EndpointSecrets,
    private readonly changes: WebhookChangesService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** @throws AppError `state_conflict` for a URL that is there, or too many */
  create(principal: Principal, request: EndpointRequest, claim: Claim | null): Promise<SecretEndpoint> {
    const owner = ownerOf(principal);
    const id = randomUUID();
    const { secret, sealed } = this.secrets.make(id);
    return this.changes.change(async (tx) => {
      await this.checkRoom(tx, owner);
      const endpoint = await this.store.insert(tx, {
        ...request,
        ...owner,
        id,
        createdAt: this.now(),
        secret: sealed,
      });
      if (endpoint === null) throw conflict(URL_IS_THERE);
      await this.askNewUrl(tx, endpoint);
      await recordOwnAct(tx, principal, this.now(), 'webhook.create', detailsOf(endpoint));
      return { endpoint, secret };
    }, claim);
  }

  /** Newest first. */
  list(principal: Principal, query: PageQuery): Promise<Page<Endpoint>> {
    const owner = ownerOf(principal);
    return ENDPOINTS.page(
      query,
      (request) => this.store.list(owner, request),
      ({ createdAt, id }) => ({ at: createdAt, id }),
    );
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
   * Switched on again, an endpoint gets what has waited for it. With another URL it has to confirm that one.
   * @throws AppError `webhook_not_found`, `state_conflict` when another one has the URL
   */
  update(principal: Principal, id: string, change: EndpointChange): Promise<Endpoint> {
    return this.changes.change(async (tx) => {
      // Before the row, as a batch that names the URL takes them.
      if (change.url !== null) await this.store.lockUrls(tx, ownerOf(principal));
      const { url } = await this.lockIn(tx, principal, id);
      const endpoint = await this.store.update(tx, id, change, this.now());
      if (endpoint === null) throw conflict(URL_IS_THERE);
      if (endpoint.url !== url) await this.askNewUrl(tx, endpoint);
      const changed = Object.entries(change).flatMap(([name, value]) => (value === null ? [] : [name]));
      await recordOwnAct(tx, principal, this.now(), 'webhook.change', { ...detailsOf(endpoint), changed });
      return endpoint;
    }, null);
  }

  /** @throws AppError `webhook_not_found` */
  rotateSecret(principal: Principal, id: string, claim: Claim | null): Promise<SecretEndpoint> {
    return this.changes.change(async (tx) => {
      await this.lockIn(tx, principal, id);
      const { secret, sealed } = this.secrets.make(id);
      const oldUntil = new Date(this.clock.now() + ROTATION_MS);
      const endpoint = await this.store.rotateSecret(tx, id, sealed, oldUntil);
      if (endpoint === null) throw new AppError('webhook_not_found');
      await recordOwnAct(tx, principal, this.now(), 'webhook.rotate_secret', detailsOf(endpoint));
      return { endpoint, secret };
    }, claim);
  }

  /** With all its deliveries. @throws AppError `webhook_not_found` */
  async remove(principal: Principal, id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const endpoint = await this.lockIn(tx, principal, id);
      await this.store.delete(tx, id);
      await recordOwnAct(tx, principal, this.now(), 'webhook.delete', detailsOf(endpoint));
    });
  }

  /**
   * The endpoint that is told of a batch which names its own URL: the account's with this URL, or a new one for such batches.
   * @param url as `EndpointUrls` gave it
   * @throws AppError `state_conflict` for too many
   */
  async ensureForBatch(tx: EntityManager, principal: Principal, url: string): Promise<BatchEndpoint> {
    const owner = ownerOf(principal);
    const known = await this.store.nameAgain(tx, { ...owner, url });
    if (known !== null) {
      const details = { ...detailsOf({ ...known, url, enabled: true }), changed: ['enabled'] };
      if (known.isSwitchedOn) await recordOwnAct(tx, principal, this.now(), 'webhook.change', details);
      return { id: known.id, secret: null };
    }
    await this.checkRoom(tx, owner);
    const id = randomUUID();
    const { secret, sealed } = this.secrets.make(id);
    const endpoint = await this.store.insertForBatch(tx, { ...owner, id, url, createdAt: this.now(), secret: sealed });
    // Another batch has made it while this one waited for its turn to count.
    if (endpoint === null) return this.ensureForBatch(tx, principal, url);
    await this.askNewUrl(tx, endpoint);
    await recordOwnAct(tx, principal, this.now(), 'webhook.create', detailsOf(endpoint));
    return { id, secret };
  }

  /** Sends the endpoint a `webhook.test`. @returns the id of the delivery */
  async sendTest(tx: EntityManager, { id, accountId, simulated, url }: Endpoint, message: string): Promise<string> {
    const data = { endpoint_id: id, message };
    const [delivery] = await addToOutbox(tx, {
      accountId,
      simulated,
      type: 'webhook.test',
      at: this.now(),
      data,
      batchId: null,
      url,
    });
    return delivery!;
  }

  private async askNewUrl(tx: EntityManager, endpoint: Endpoint): Promise<void> {
    await this.sendTest(tx, endpoint, NEW_URL);
  }

  /** Exact: of two requests that come at once the second one counts when the first one has ended. */
  private async checkRoom(tx: EntityManager, owner: Owner): Promise<void> {
    await this.store.lockUrls(tx, owner);
    if ((await this.store.count(tx, owner)) >= MOST_ENDPOINTS) throw conflict(TOO_MANY);
  }

  private async lockIn(tx: EntityManager, principal: Principal, id: string): Promise<Endpoint> {
    const endpoint = await this.store.lock(tx, id);
    if (endpoint === null || !isOwn(ownerOf(principal), endpoint)) throw new AppError('webhook_not_found');
    return endpoint;
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

const NEW_URL = 'This URL is to be told of events. Answer with a 2xx status, and they carry results from then on.';
const TOO_MANY = `An account has ${MOST_ENDPOINTS} endpoints in each mode at most, those of its batches included: delete one, or name the URL of one.`;

/** Without path and query of the URL, in which customers keep tokens. */
function detailsOf({ id, url, enabled }: Pick<Endpoint, 'id' | 'url' | 'enabled'>) {
  return { webhook_id: id, host: new URL(url).host, enabled };
}

const URL_IS_THERE = 'The account has an endpoint with this URL already: change that one.';

function conflict(message: string): AppError {
  return new AppError('state_conflict', { message });
}
