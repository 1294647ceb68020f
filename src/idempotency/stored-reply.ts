import { AppError } from '../platform/errors/app-error.js';
import { ERROR_CATALOG, type ErrorCode } from '../platform/errors/error-catalog.js';
import { errorReply } from '../platform/errors/error-reply.js';
import { Secrets } from '../platform/config/secrets.js';
import { type SealedReply, type AddressOwner, IdempotencyStore } from './idempotency.store.js';
import { type IdempotentRequest, type Requester, scopeOf } from './idempotent-request.js';
import { comparedForm, type ErasedAddress, type Holders } from '../platform/erased-address.js';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** Far more than a reply that is kept holds: batches answer with counts. */
const MAX_ADDRESSES = 2_000;

const WITHIN_TEXT = /[^\s"'<>(),:;[\]]+@[^\s"'<>(),:;[\]]+/g;

/** The addresses in a reply, each as it is compared: texts that are one, and what stands within longer texts. */
function addressesIn(body: string): string[] {
  if (!body.includes('@')) return [];
  const found = new Set<string>();
  const add = (text: string): void => {
    if (found.size < MAX_ADDRESSES) found.add(comparedForm(text));
  };
  JSON.parse(body, (_, value: unknown) => {
    if (typeof value === 'string' && value.includes('@')) {
      add(value);
      for (const [address] of value.matchAll(WITHIN_TEXT)) add(address.replace(/\.$/, ''));
    }
    return value;
  });
  return [...found];
}

/** The context of the tags of an account's addresses, so that those of two accounts tell nothing of each other. */
function tagContext({ accountId, simulated }: AddressOwner): string {
  return `addresses of ${accountId} ${simulated ? 'test' : 'live'}`;
}

/** Erases an address from kept replies. They are sealed, so they are found by keyed hashes of the addresses in them. */
@Injectable()
export class StoredReplyErasure {
  constructor(
    private readonly store: IdempotencyStore,
    private readonly secrets: Secrets,
  ) {}

  /** @returns how many replies are emptied: whoever asks for one again is told that the work was done */
  erase(tx: EntityManager, holders: Holders, { compared }: ErasedAddress): Promise<number> {
    const { accountIds, simulated } = holders;
    const tags = accountIds.flatMap((accountId) => this.secrets.tags(compared, tagContext({ accountId, simulated })));
    return this.store.erase(tx, holders, tags);
  }
}

interface OpenedReply extends StoredReply {
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

  seal(request: IdempotentRequest, reply: StoredReply): SealedReply {
    const opened: OpenedReply = { ...reply, keyId: request.requester.keyId };
    const sealed = this.secrets.seal(JSON.stringify(opened), contextOf(request));
    return { status: reply.status, sealed, addresses: this.addressesOf(request.requester, reply) };
  }

  /** Its secrets are for the key that asked first. @returns null when no key of `SECRETS_KEY` opens it */
  open(request: IdempotentRequest, sealed: Buffer): StoredReply | null {
    let text: string;
    try {
      text = this.secrets.open(sealed, contextOf(request));
    } catch {
      return null;
    }
    const { keyId, ...reply } = JSON.parse(text) as OpenedReply;
    return keyId === request.requester.keyId ? reply : withoutSecrets(reply);
  }

  private addressesOf({ accountId, simulated }: Requester, { body }: StoredReply): SealedReply['addresses'] {
    if (accountId === null) return null;
    const tags = addressesIn(body).map((address) => this.secrets.tag(address, tagContext({ accountId, simulated })));
    return tags.length === 0 ? null : { accountId, simulated, tags };
  }
}

function contextOf(request: IdempotentRequest): string {
  return `kept reply ${scopeOf(request)}`;
}

/** The first reply to a request. */
export interface StoredReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Statuses of refusals that the work itself decides, so that a repeated request gets them again. A 402 is none of them, because a
 * grant changes it.
 */
const FINAL_STATUSES: readonly number[] = [403, 404, 409];

/** The reply to keep for an error of the work; null when another try may end differently. */
export function finalRefusal(error: unknown, requestId: string): StoredReply | null {
  if (!(error instanceof AppError) || error.details.retryAfterSeconds !== undefined) return null;
  const { status, headers, body } = errorReply(error, requestId, true);
  return FINAL_STATUSES.includes(status) ? { status, headers, body: JSON.stringify(body) } : null;
}

/** An error that is answered with exactly the kept reply. */
export function refusalOf({ headers, body }: StoredReply, further: Readonly<Record<string, string>>): AppError {
  const { error, code, success: _, ...rest } = JSON.parse(body) as { error: string; code: string; success: false };
  const known: ErrorCode = code in ERROR_CATALOG ? (code as ErrorCode) : 'internal_error';
  return new AppError(known, { message: error, headers: { ...headers, ...further }, body: rest });
}

/** Members of replies that show a secret, which only the key that asked for it may see. */
export const SECRET_MEMBERS: readonly string[] = ['api_key', 'claim_token', 'secret'];

/** The reply as another key of the account may see it: byte for byte the same where it shows no secret. */
export function withoutSecrets(reply: StoredReply): StoredReply {
  if (reply.body === '') return reply;
  const body: unknown = JSON.parse(reply.body, (name, value: unknown) =>
    typeof value === 'string' && SECRET_MEMBERS.includes(name) ? null : value,
  );
  return { ...reply, body: JSON.stringify(body) };
}
