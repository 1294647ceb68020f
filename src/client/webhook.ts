import { MailsondeError } from './mailsonde-error.js';

/** An event of a webhook, as it was signed. */
export interface WebhookEvent<T = Record<string, unknown>> {
  /** Such as `batch.completed`. */
  readonly type: string;
  readonly timestamp: string;
  readonly data: T;
  /** True for an example that somebody has ordered. */
  readonly sample?: boolean;
}

export interface VerifiedWebhook<T = Record<string, unknown>> {
  /** The same on every attempt: keep those you have handled, and skip what comes again. */
  readonly id: string;
  readonly event: WebhookEvent<T>;
}

/** Of a `Request`, of Node's `IncomingMessage`, or of a framework. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const TOLERANCE_SECONDS = 300;
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };

/**
 * Checks the signature of a webhook (Standard Webhooks), by WebCrypto.
 * @param body as it came, before anything has parsed it
 * @param secret `whsec_…`; several while one takes the place of another
 * @throws MailsondeError `webhook_unsigned`, `webhook_expired`, `webhook_forged`, `webhook_secret_malformed`
 */
export async function verifyWebhook<T = Record<string, unknown>>(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string | readonly string[],
  now: () => number = Date.now,
): Promise<VerifiedWebhook<T>> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (id === null || timestamp === null || signatures === null)
    throw refusal('webhook_unsigned', 'The request has no webhook-id, webhook-timestamp or webhook-signature.');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now() / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS)
    throw refusal('webhook_expired', 'The webhook was signed more than five minutes ago, or will be.');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  for (const one of typeof secret === 'string' ? [secret] : secret)
    if (await isSignedBy(one, signatures, signed)) return { id, event: eventOf<T>(bytes) };
  throw refusal('webhook_forged', 'No signature of the webhook is by this secret.');
}

async function isSignedBy(secret: string, signatures: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', keyOf(secret), ALGORITHM, false, ['verify']);
  for (const signature of signatures.split(' ')) {
    const bytes = signature.startsWith('v1,') ? fromBase64(signature.slice('v1,'.length)) : null;
    // The platform compares in constant time.
    if (bytes !== null && (await crypto.subtle.verify(ALGORITHM, key, bytes, signed))) return true;
  }
  return false;
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = fromBase64(secret.replace(/^whsec_/, ''));
  if (key === null || key.length === 0)
    throw refusal('webhook_secret_malformed', 'The secret of the webhook is no "whsec_" with base64 behind it.');
  return key;
}

function eventOf<T>(body: Uint8Array): WebhookEvent<T> {
  return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent<T>;
}

function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const value = headers[name] ?? Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : (value?.[0] ?? null);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function refusal(code: string, message: string): MailsondeError {
  return new MailsondeError({ code, message });
}
