import type { WebhookRetries } from '../../platform/config/policies.js';
import type { Outcome } from './webhook-sender.js';

/** The decision about a delivery and its endpoint after an attempt. */
export interface AttemptDecision {
  readonly state: 'succeeded' | 'pending' | 'failed';
  /** When the next attempt is due; meaningless unless `pending`. */
  readonly dueAt: Date;
  /** The endpoint gets no delivery before. */
  readonly pausedUntil: Date | null;
  /** The endpoint has answered 410, gone for good. */
  readonly isGone: boolean;
}

export interface Attempted {
  readonly outcome: Pick<Outcome, 'status' | 'retryAfter'>;
  /** Attempts of this schedule, this one included. */
  readonly scheduleStep: number;
  readonly now: number;
  /** From 0 to below 1. */
  readonly random: number;
}

/** Follows the schedule of `config/webhook-retries.json`, and the endpoint's `Retry-After` where that is later. */
export function nextAttempt(
  { outcome, scheduleStep, now, random }: Attempted,
  retries: WebhookRetries,
): AttemptDecision {
  const { status, retryAfter } = outcome;
  const none = { dueAt: new Date(now), pausedUntil: null, isGone: false };
  if (status !== null && status >= 200 && status < 300) return { ...none, state: 'succeeded' };
  if (status === 410) return { ...none, state: 'failed', isGone: true };
  const requestedMs = Math.min(retryAfterMs(retryAfter, now), retries.maxRetryAfterSeconds * 1000);
  const pausedUntil = requestedMs > 0 ? new Date(now + requestedMs) : null;
  const delay = retries.delaysSeconds[scheduleStep];
  if (delay === undefined) return { ...none, state: 'failed', pausedUntil };
  const delayMs = delay * 1000 * (1 + retries.jitter * random);
  return { ...none, state: 'pending', dueAt: new Date(now + Math.max(delayMs, requestedMs)), pausedUntil };
}

/** RFC 9110 section 10.2.3: seconds or a date; 0 for other texts and past dates. */
function retryAfterMs(header: string | null, now: number): number {
  if (header === null) return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
