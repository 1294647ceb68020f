import { type Page, PageOf, pageReply } from '../platform/http/page.js';
import { Extended, field, Reply, replyOf } from '../platform/http/reply.js';
import { MAX_INCLUDED_RESULTS } from '../events/event-contents.js';
import { EVENT_TYPES } from '../events/outbox.js';
import type { Endpoint, SecretEndpoint } from './endpoints.service.js';

export class WebhookReply extends Reply({
  id: field.uuid(),
  url: field.text(),
  events: field.someOf<string>(EVENT_TYPES),
  mode: field.oneOf(['live', 'test'], "Whose work it is told of: live keys', or test keys'."),
  made_by: field.oneOf(['api', 'batch'], '`batch`: the `webhook_url` of a batch.'),
  include_results: field.count({
    maximum: MAX_INCLUDED_RESULTS,
    description: 'So many rows of results a body carries at most.',
  }),
  enabled: field.boolean(),
  disabled_reason: field.of<string | null>({
    type: String,
    enum: ['owner', 'gone', 'failing', null],
    nullable: true,
    description: '`gone`: it answered 410. `failing`: five days without a success.',
  }),
  disabled_at: field.timeOrNull(),
  created_at: field.time(),
  last_success_at: field.timeOrNull(),
  failing_since: field.timeOrNull('The first failure after the last success.'),
  confirmed_at: field.timeOrNull(
    'The first 2xx from the present URL. Null: none has come, so what is sent there carries no results.',
  ),
  old_secret_expires_at: field.timeOrNull('Until then the secret before the last rotation signs too.'),
}) {}

export class SecretWebhookReply extends Extended(WebhookReply, {
  secret: field.textOrNull({
    example: 'whsec_…',
    description:
      'Signs the deliveries. Shown here and never again; null in the replay of an idempotency key to another API key.',
  }),
}) {}

export class WebhookPageReply extends PageOf(WebhookReply, 'webhooks') {}

export function endpointReply(endpoint: Endpoint) {
  return replyOf(WebhookReply, {
    ...endpoint,
    mode: endpoint.simulated ? 'test' : 'live',
    madeBy: endpoint.createdVia,
    oldSecretExpiresAt: endpoint.previousSecretExpiresAt,
  });
}

export function secretEndpointReply({ endpoint, secret }: SecretEndpoint): SecretWebhookReply {
  return { ...endpointReply(endpoint), secret };
}

export const endpointPageReply = (page: Page<Endpoint>): WebhookPageReply => pageReply('webhooks', page, endpointReply);
