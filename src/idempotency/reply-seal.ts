import type { Secrets } from '../platform/config/secrets.js';
import type { SealedReply } from './idempotency.store.js';
import { type IdempotentRequest, type Requester, scopeOf } from './idempotent-request.js';
import { type KeptReply, withoutSecrets } from './kept-reply.js';
import { addressesIn, tagContext } from './reply-addresses.js';

interface OpenedReply extends KeptReply {
  /** The key that asked first. */
  readonly keyId: string;
}

/** The context of the keyed hashes of requests. */
const FINGERPRINTS = 'fingerprint';

/**
 * How replies and fingerprints of requests are stored. Replies hold tokens and addresses, so they are sealed: a copy of the database alone,
 * without `SECRETS_KEY`, must not reveal them. Fingerprints are stored under a key, because nobody should be able to try which address a
 * request named.
 */
export class ReplySeal {
  constructor(private readonly secrets: Secrets) {}

  fingerprint(asked: Buffer): Buffer {
    return this.secrets.tag(asked.toString('hex'), FINGERPRINTS);
  }

  isSame(asked: Buffer, stored: Buffer): boolean {
    return this.secrets.tags(asked.toString('hex'), FINGERPRINTS).some((tag) => tag.equals(stored));
  }

  seal(request: IdempotentRequest, reply: KeptReply): SealedReply {
    const opened: OpenedReply = { ...reply, keyId: request.requester.keyId };
    const sealed = this.secrets.seal(JSON.stringify(opened), contextOf(request));
    return { status: reply.status, sealed, addresses: this.addressesOf(request.requester, reply) };
  }

  /** Its secrets are for the key that asked first. @returns null when no key of `SECRETS_KEY` opens it */
  open(request: IdempotentRequest, sealed: Buffer): KeptReply | null {
    let text: string;
    try {
      text = this.secrets.open(sealed, contextOf(request));
    } catch {
      return null;
    }
    const { keyId, ...reply } = JSON.parse(text) as OpenedReply;
    return keyId === request.requester.keyId ? reply : withoutSecrets(reply);
  }

  private addressesOf({ accountId, simulated }: Requester, { body }: KeptReply): SealedReply['addresses'] {
    if (accountId === null) return null;
    const tags = addressesIn(body).map((address) => this.secrets.tag(address, tagContext({ accountId, simulated })));
    return tags.length === 0 ? null : { accountId, simulated, tags };
  }
}

function contextOf(request: IdempotentRequest): string {
  return `kept reply ${scopeOf(request)}`;
}
