import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../../keys/access/principal.js';
import { checkHolds } from '../../keys/scope/key-scope.js';
import { AppError } from '../../platform/errors/app-error.js';
import { EndpointUrls } from '../../webhooks/endpoint-urls.js';
import { type BatchEndpoint, EndpointsService } from '../../webhooks/endpoints.service.js';

export type { BatchEndpoint };

/** The `webhook_url` of a batch: an endpoint of the account that gets the events of this batch beside those that it subscribes to. */
@Injectable()
export class BatchWebhookService {
  constructor(
    private readonly urls: EndpointUrls,
    private readonly endpoints: EndpointsService,
  ) {}

  /** @returns the URL in its stored form. @throws AppError `full_account_required` for agents, `permission_missing`, `invalid_input` */
  async check(principal: Principal, url: string | null): Promise<string | null> {
    if (url === null) return null;
    if (!principal.policy.webhooks) throw new AppError('full_account_required', { message: FOR_FULL_ACCOUNTS });
    checkHolds(principal.scope, ['webhooks', 'results'], SENDS_RESULTS);
    return this.urls.check(url, 'webhook_url');
  }

  async ensure(tx: EntityManager, principal: Principal, url: string | null): Promise<BatchEndpoint | null> {
    return url === null ? null : this.endpoints.ensureForBatch(tx, principal, url);
  }
}

const SENDS_RESULTS = 'which webhook_url needs, since Mailsonde sends the results of the batch there';
const FOR_FULL_ACCOUNTS = 'webhook_url needs a full account; an agent asks for the status of its batch.';
