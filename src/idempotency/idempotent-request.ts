/** Whoever asks: keys of one account and kind share their idempotency keys. */
export interface Requester {
  readonly keyId: string;
  /** Null for a key that belongs to no account. */
  readonly accountId: string | null;
  readonly kind: string;
  /** A test key asks. */
  readonly simulated: boolean;
}

export interface IdempotentRequest {
  readonly requester: Requester;
  /** Method and pattern, such as `POST /api/v1/keys/:id/rotate`, or the name of a tool. */
  readonly route: string;
  readonly key: string;
  /** SHA-256 of the request. For a streaming body it reads the rest first. */
  readonly fingerprint: Buffer | (() => Promise<Buffer>);
}

/** What an idempotency key is one key of. */
export function scopeOf({ requester, route, key }: IdempotentRequest): string {
  return JSON.stringify([requester.accountId ?? requester.keyId, requester.kind, route, key]);
}
