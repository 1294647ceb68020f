import { Inject, Injectable, Logger } from '@nestjs/common';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { WEBHOOK_RETRIES, type WebhookRetries } from '../platform/config/policies.js';
import { isOutage } from '../platform/errors/outage.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import { EventBodiesService } from './event-bodies.service.js';
import { messageIdOf } from './message-id.js';
import { ruleOn } from './retry-plan.js';
import { signatureHeaders } from './signature.js';
import { type AttemptError, type Outcome, WebhookSender } from './webhook-sender.js';
import { type DueDelivery, type TakenEndpoint, WebhookWorkStore } from './webhook-work.store.js';

/** A success that took longer makes its endpoint a slow one all the same. */
const SLOW_MS = 3_000;

/** One attempt: signed, sent, and written down with what follows. Killed in between it is made again, with the same id. */
@Injectable()
export class WebhookAttemptsService {
  private readonly logger = new Logger(WebhookAttemptsService.name);

  constructor(
    private readonly store: WebhookWorkStore,
    private readonly sender: WebhookSender,
    private readonly bodies: EventBodiesService,
    private readonly secrets: EndpointSecrets,
    @Inject(WEBHOOK_RETRIES) private readonly retries: WebhookRetries,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /**
   * @param signal ends the attempt without writing anything down
   * @returns whether the endpoint is well: quick, and without a fault
   */
  async attempt(endpoint: TakenEndpoint, delivery: DueDelivery, signal: AbortSignal): Promise<boolean> {
    const at = this.clock.now();
    const outcome = await this.outcomeOf(endpoint, delivery, signal);
    if (outcome === null) return true;
    const now = this.clock.now();
    const ruling = ruleOn({ outcome, step: delivery.step + 1, now, random: Math.random() }, this.retries);
    const isWell = ruling.state === 'succeeded' && outcome.latencyMs < SLOW_MS;
    const recorded = { at: new Date(at), outcome, ruling, isSlow: !isWell };
    const disabled = await this.store.record(endpoint, delivery, recorded, this.retries.disableAfterDays);
    if (disabled !== null) this.logger.warn(`webhook endpoint ${endpoint.id} is disabled: ${disabled}`);
    return isWell;
  }

  /** Null when the event was deleted meanwhile, and its deliveries with it. */
  private async outcomeOf({ id }: TakenEndpoint, delivery: DueDelivery, signal: AbortSignal): Promise<Outcome | null> {
    const secrets = this.openSecrets(id, delivery);
    if (secrets === null) return notSent('secret_unreadable');
    let body: string | null;
    try {
      body = await this.bodies.get(delivery.eventId, delivery.isConfirmed);
    } catch (error) {
      if (isOutage(error)) throw error;
      this.logger.error(error);
      return notSent('internal_error');
    }
    return body === null ? null : this.send(delivery, secrets, Buffer.from(body), signal);
  }

  private send({ eventId, url }: DueDelivery, secrets: string[], body: Buffer, signal: AbortSignal): Promise<Outcome> {
    const message = { id: messageIdOf(eventId), atSeconds: Math.floor(this.clock.now() / 1000), body };
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Mailsonde-Webhooks/1',
      ...signatureHeaders(message, secrets),
    };
    return this.sender.send({ url, headers, body }, signal);
  }

  /** Null when `SECRETS_KEY` was changed without keeping the old one behind it. */
  private openSecrets(id: string, { secret, oldSecret, oldSecretUntil }: DueDelivery): string[] | null {
    const isOldValid = oldSecret !== null && oldSecretUntil !== null && oldSecretUntil.getTime() > this.clock.now();
    try {
      return (isOldValid ? [secret, oldSecret] : [secret]).map((sealed) => this.secrets.open(id, sealed));
    } catch (error) {
      this.logger.error(`the secret of webhook endpoint ${id} cannot be read: ${(error as Error).message}`);
      return null;
    }
  }
}

function notSent(error: AttemptError): Outcome {
  return { status: null, error, latencyMs: 0, reply: '', retryAfter: null };
}
