import { Inject, Injectable, Logger } from '@nestjs/common';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { WEBHOOK_RETRIES, type WebhookRetries } from '../../platform/config/policies.js';
import { counter } from '../../platform/metrics/metrics.js';
import { traceparentOf, writeStep } from '../../platform/logging/trace.js';
import { isOutage } from '../../platform/errors/outage.js';
import { EndpointSecrets } from '../endpoint-secrets.js';
import { EventBodiesService, type EventBody } from '../../events/event-bodies.service.js';
import { nextAttempt } from './retry-schedule.js';
import { messageIdOf, signatureHeaders } from '../signature.js';
import { type AttemptError, type Destination, type Outcome, WebhookSender } from './webhook-sender.js';
import { type DueDelivery, type LeasedEndpoint, type SentRequest, WebhookWorkerStore } from './webhook-worker.store.js';

/** The time of a success above which its endpoint moves to the slow lane all the same. */
const SLOW_MS = 3_000;
const MAX_BODY_CHARACTERS = 4_096;

const attempts = counter(
  'mailsonde_webhook_deliveries_total',
  'Attempts to deliver an event: succeeded, retried later, or failed for good.',
  ['outcome'],
);

const OUTCOMES = { succeeded: 'succeeded', pending: 'retried', failed: 'failed' } as const;

interface Attempted {
  /** Null when none could be made. */
  readonly request: SentRequest | null;
  readonly outcome: Outcome;
}

/**
 * Makes one attempt: signs, sends and records it. When the process is killed in between, another process makes the attempt again
 * with the same id.
 */
@Injectable()
export class WebhookAttemptsService {
  private readonly logger = new Logger(WebhookAttemptsService.name);

  constructor(
    private readonly store: WebhookWorkerStore,
    private readonly sender: WebhookSender,
    private readonly bodies: EventBodiesService,
    private readonly secrets: EndpointSecrets,
    @Inject(WEBHOOK_RETRIES) private readonly retries: WebhookRetries,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /**
   * @param signal aborts the attempt, of which nothing is recorded then
   * @returns whether the endpoint is healthy: it has succeeded, and quickly
   */
  async attempt(
    endpoint: LeasedEndpoint,
    delivery: DueDelivery,
    destination: Destination,
    signal: AbortSignal,
  ): Promise<boolean> {
    const at = this.clock.now();
    const attempted = await this.attemptOf(endpoint, delivery, destination, signal);
    if (attempted === null) return true;
    const { request, outcome } = attempted;
    const now = this.clock.now();
    const scheduleStep = delivery.scheduleStep + 1;
    const decision = nextAttempt({ outcome, scheduleStep, now, random: Math.random() }, this.retries);
    const isHealthy = decision.state === 'succeeded' && outcome.latencyMs < SLOW_MS;
    const recorded = { at: new Date(at), request, outcome, decision, lane: isHealthy ? 'quick' : 'slow' } as const;
    const disabled = await this.store.record(endpoint, delivery, recorded, this.retries.disableAfterDays);
    attempts.inc({ outcome: OUTCOMES[decision.state] });
    if (delivery.traceId !== null)
      writeStep(`webhook ${OUTCOMES[decision.state]}: ${outcome.status ?? outcome.error}`, {
        trace_id: delivery.traceId,
        delivery_id: delivery.id,
        status: outcome.status,
        ms: outcome.latencyMs,
      });
    if (disabled !== null) this.logger.warn(`webhook endpoint ${endpoint.id} is disabled: ${disabled}`);
    return isHealthy;
  }

  /** Null when the event was deleted meanwhile, and its deliveries with it. */
  private async attemptOf(
    { id }: LeasedEndpoint,
    delivery: DueDelivery,
    destination: Destination,
    signal: AbortSignal,
  ): Promise<Attempted | null> {
    const secrets = this.openSecrets(id, delivery);
    if (secrets === null) return notSent('secret_unreadable');
    let body: EventBody | null;
    try {
      body = await this.bodies.get(delivery.eventId, delivery.maxResults);
    } catch (error) {
      if (isOutage(error)) throw error;
      this.logger.error(error);
      return notSent('internal_error');
    }
    return body === null ? null : this.send(delivery, destination, secrets, body, signal);
  }

  private async send(
    { eventId, url, traceId }: DueDelivery,
    destination: Destination,
    secrets: string[],
    { text, isKept }: EventBody,
    signal: AbortSignal,
  ): Promise<Attempted> {
    const body = Buffer.from(text);
    const message = { id: messageIdOf(eventId), atSeconds: Math.floor(this.clock.now() / 1000), body };
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Mailsonde-Webhooks/1',
      ...(traceId !== null && { traceparent: traceparentOf(traceId) }),
      ...signatureHeaders(message, secrets),
    };
    const request = {
      // Whoever may read deliveries must not be able to send this one again in our name.
      headers: { ...headers, 'webhook-signature': secrets.map(() => 'v1,…').join(' ') },
      bytes: body.length,
      body: isKept ? null : text.slice(0, MAX_BODY_CHARACTERS),
    };
    return { request, outcome: await this.sender.send({ url, destination, headers, body }, signal) };
  }

  /** Null when `SECRETS_KEY` was changed without keeping the old one behind it. */
  private openSecrets(id: string, { secret, previousSecret, previousSecretExpiresAt }: DueDelivery): string[] | null {
    const isInRotation = previousSecretExpiresAt !== null && previousSecretExpiresAt.getTime() > this.clock.now();
    try {
      return (isInRotation && previousSecret !== null ? [secret, previousSecret] : [secret]).map((sealed) =>
        this.secrets.open(id, sealed),
      );
    } catch (error) {
      this.logger.error(`the secret of webhook endpoint ${id} cannot be read: ${(error as Error).message}`);
      return null;
    }
  }
}

function notSent(error: AttemptError): Attempted {
  return { request: null, outcome: { status: null, error, latencyMs: 0, reply: '', retryAfter: null } };
}
