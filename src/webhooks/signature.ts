import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/* Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;

export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export interface SignedMessage {
  readonly id: string;
  readonly atSeconds: number;
  readonly body: Buffer;
}

/**
 * The three headers of Standard Webhooks (https://www.standardwebhooks.com).
 * @param secrets the present one, and during a rotation the one before it
 */
export function signatureHeaders({ id, atSeconds, body }: SignedMessage, secrets: readonly string[]) {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${atSeconds}.`).update(body).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(atSeconds), 'webhook-signature': signatures.join(' ') };
}
