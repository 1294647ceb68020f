import { Injectable } from '@nestjs/common';
import { Secrets } from '../platform/secrets/secrets.js';
import { newSecret } from './signature.js';

/** The secrets of endpoints between their sealed and their clear form. */
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

  /** @throws Error when the key that has sealed it is not known any more */
  open(endpointId: string, sealed: Buffer): string {
    return this.secrets.open(sealed, contextOf(endpointId));
  }

  /** What is sealed with the present key begins with it. */
  get prefix(): Buffer {
    return this.secrets.prefix;
  }
}

function contextOf(endpointId: string): string {
  return `webhook endpoint ${endpointId}`;
}
