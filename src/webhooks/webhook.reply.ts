import { ApiProperty } from '@nestjs/swagger';
import { type Page } from '../platform/http/listing.js';
import { PageOf, pageReply } from '../platform/http/page.js';
import { TIME_OR_NULL } from '../platform/http/schemas.js';
import { MAX_INCLUDED_RESULTS } from '../events/event-contents.js';
import { EVENT_TYPES } from '../events/outbox.js';
import type { Endpoint, SecretEndpoint } from './endpoints.service.js';

export class WebhookReply {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty()
  readonly url: string;

  @ApiProperty({ enum: EVENT_TYPES, isArray: true })
  readonly events: readonly string[];

  @ApiProperty({ enum: ['live', 'test'], description: "Whose work it is told of: live keys', or test keys'." })
  readonly mode: string;

  @ApiProperty({ enum: ['api', 'batch'], description: '`batch`: the `webhook_url` of a batch.' })
  readonly made_by: string;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: MAX_INCLUDED_RESULTS,
    description: 'So many rows of results a body carries at most.',
  })
  readonly include_results: number;

  @ApiProperty()
  readonly enabled: boolean;

  @ApiProperty({
    type: String,
    enum: ['owner', 'gone', 'failing', null],
    nullable: true,
    description: '`gone`: it answered 410. `failing`: five days without a success.',
  })
  readonly disabled_reason: string | null;

  @ApiProperty(TIME_OR_NULL)
  readonly disabled_at: string | null;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;

  @ApiProperty(TIME_OR_NULL)
  readonly last_success_at: string | null;

  @ApiProperty({ ...TIME_OR_NULL, description: 'The first failure after the last success.' })
  readonly failing_since: string | null;

  @ApiProperty({
    ...TIME_OR_NULL,
    description: 'The first 2xx from the present URL. Null: none has come, so what is sent there carries no results.',
  })
  readonly confirmed_at: string | null;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Until then the secret before the last rotation signs too.' })
  readonly old_secret_expires_at: string | null;
}

export class SecretWebhookReply extends WebhookReply {
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'whsec_…',
    description:
      'Signs the deliveries. Shown here and never again; null in the replay of an idempotency key to another API key.',
  })
  readonly secret: string | null;
}

export class WebhookPageReply extends PageOf(WebhookReply, 'webhooks') {}

export function endpointReply(endpoint: Endpoint) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    mode: endpoint.simulated ? 'test' : 'live',
    made_by: endpoint.createdVia,
    include_results: endpoint.includeResults,
    enabled: endpoint.enabled,
    disabled_reason: endpoint.disabledReason,
    disabled_at: endpoint.disabledAt?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
    last_success_at: endpoint.lastSuccessAt?.toISOString() ?? null,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    confirmed_at: endpoint.confirmedAt?.toISOString() ?? null,
    old_secret_expires_at: endpoint.previousSecretExpiresAt?.toISOString() ?? null,
  } satisfies WebhookReply;
}

export function secretEndpointReply({ endpoint, secret }: SecretEndpoint): SecretWebhookReply {
  return { ...endpointReply(endpoint), secret };
}

export const endpointPageReply = (page: Page<Endpoint>): WebhookPageReply => pageReply('webhooks', page, endpointReply);
