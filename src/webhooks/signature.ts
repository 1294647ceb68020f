import { createHmac } from 'node:crypto';
import { SECRET_PREFIX } from './endpoint-secrets.js';

/** The `webhook-id` of an event: the same in every attempt, to every endpoint. */
export function messageIdOf(eventId: string): string {
  return `msg_${eventId.replaceAll('-', '')}`;
}

export interface SignedMessage {
  readonly id: string;
  readonly atSeconds: number;
  readonly body: Buffer;
}

/**
 * The three headers of Standard Webhooks (https://www.standardwebhooks.com).
 * @param secrets the present one, and until a rotation ends the previous one
 */
export function signatureHeaders({ id, atSeconds, body }: SignedMessage, secrets: readonly string[]) {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${atSeconds}.`).update(body).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(atSeconds), 'webhook-signature': signatures.join(' ') };
}
