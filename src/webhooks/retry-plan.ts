import type { WebhookRetries } from '../platform/config/policies.js';
import type { Outcome } from './webhook-sender.js';

/** What follows from an attempt. */
export interface Ruling {
  readonly state: 'succeeded' | 'pending' | 'failed';
  /** Of the next attempt; meaningless unless `pending`. */
  readonly dueAt: Date;
  /** Nothing is sent to the endpoint before. */
  readonly pausedUntil: Date | null;
  /** It said that it is gone for good (410). */
  readonly isGone: boolean;
}

export interface Attempted {
  readonly outcome: Pick<Outcome, 'status' | 'retryAfter'>;
  /** Attempts of this schedule, this one included. */
  readonly step: number;
  readonly now: number;
  /** From 0 to below 1. */
  readonly random: number;
}

/** The schedule of `config/webhook-retries.json`, and what the endpoint asked for. */
export function ruleOn({ outcome, step, now, random }: Attempted, retries: WebhookRetries): Ruling {
  const { status, retryAfter } = outcome;
  const none = { dueAt: new Date(now), pausedUntil: null, isGone: false };
  if (status !== null && status >= 200 && status < 300) return { ...none, state: 'succeeded' };
  if (status === 410) return { ...none, state: 'failed', isGone: true };
  const askedMs = Math.min(retryAfterMs(retryAfter, now), retries.mostRetryAfterSeconds * 1000);
  const pausedUntil = askedMs > 0 ? new Date(now + askedMs) : null;
  const delay = retries.delaysSeconds[step];
  if (delay === undefined) return { ...none, state: 'failed', pausedUntil };
  const delayMs = delay * 1000 * (1 + retries.jitter * random);
  return { ...none, state: 'pending', dueAt: new Date(now + Math.max(delayMs, askedMs)), pausedUntil };
}

/** RFC 9110 section 10.2.3: seconds or a date; 0 for what is neither, or past. */
function retryAfterMs(header: string | null, now: number): number {
  if (header === null) return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
