import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../platform/config/secrets.js';

/** What Standard Webhooks begins its secrets with; the key is the base64 behind it. */
export const SECRET_PREFIX = 'whsec_';
/* Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** Seals and opens the secrets of endpoints. */
@Injectable()
export class EndpointSecrets {
  constructor(private readonly secrets: Secrets) {}

  make(endpointId: string): { readonly secret: string; readonly sealed: Buffer } {
    const secret = newSecret();
    return { secret, sealed: this.seal(endpointId, secret) };
  }

  seal(endpointId: string, secret: string): Buffer {
    return this.secrets.seal(secret, contextOf(endpointId));
  }

  /** @throws Error when `SECRETS_KEY` does not have the key that sealed it */
  open(endpointId: string, sealed: Buffer): string {
    return this.secrets.open(sealed, contextOf(endpointId));
  }

  /** The beginning of secrets sealed with the present key. */
  get prefix(): Buffer {
    return this.secrets.prefix;
  }
}

export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

function contextOf(endpointId: string): string {
  return `webhook endpoint ${endpointId}`;
}
