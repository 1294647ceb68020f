import type { Verdict } from './batch-results.js';

export type BatchState = 'receiving' | 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';

/** What may happen to a batch. `receive` ends the upload, `start` is the first chunk taken, `retry` an administrator's. */
export type BatchEvent = 'receive' | 'start' | 'complete' | 'fail' | 'cancel' | 'retry';

const TRANSITIONS: Readonly<Record<BatchEvent, { readonly from: readonly BatchState[]; readonly to: BatchState }>> = {
  receive: { from: ['receiving'], to: 'queued' },
  start: { from: ['queued'], to: 'processing' },
  complete: { from: ['queued', 'processing'], to: 'completed' },
  fail: { from: ['queued', 'processing'], to: 'failed' },
  cancel: { from: ['queued', 'processing'], to: 'cancelled' },
  retry: { from: ['failed'], to: 'queued' },
};

/** What a batch becomes; null when it cannot happen to a batch in this state. */
export function transition(state: BatchState, event: BatchEvent): BatchState | null {
  const { from, to } = TRANSITIONS[event];
  return from.includes(state) ? to : null;
}

/** The states that an event may find. */
export function statesBefore(event: BatchEvent): readonly BatchState[] {
  return TRANSITIONS[event].from;
}

export function isFinished(state: BatchState): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled';
}

export type BatchKind = 'verify' | 'find';

/** A batch as it is stored, without addresses. */
export interface Batch {
  readonly id: number;
  readonly accountId: string;
  readonly keyId: string;
  /** Row of `config/key-policies.json` at submission: what an `unknown` costs, the shape of replies. */
  readonly policy: string;
  /** Verified in the simulated world, never charged. */
  readonly simulated: boolean;
  /** Its rows are addresses to verify, or people to find. */
  readonly kind: BatchKind;
  readonly state: BatchState;
  readonly name: string | null;
  readonly webhookUrl: string | null;
  /** Names of a CSV's other columns, in their order; null when there are none. */
  readonly columns: readonly string[] | null;
  readonly retentionDays: number;
  readonly totalRows: number;
  readonly uniqueAddresses: number;
  readonly openChunks: number;
  /** Addresses whose answers were soft, and when the last of them is tried again; null when none waits. */
  readonly laterTries: { readonly addresses: number; readonly until: Date } | null;
  /** Rows by verdict: their sum is what has been processed. */
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly reservationId: string | null;
  readonly creditSource: 'daily' | 'balance' | 'unpaid' | null;
  readonly creditsReserved: number;
  readonly creditsCharged: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly expiresAt: Date | null;
}

export function processedOf({ counts }: Pick<Batch, 'counts'>): number {
  return counts.valid + counts.invalid + counts.risky + counts.unknown;
}

/** From the pace so far, and not before soft answers have been tried again; null before the first answer. */
export function estimatedEnd(batch: Batch, now: number): Date | null {
  const { startedAt, finishedAt, totalRows, laterTries } = batch;
  if (finishedAt !== null) return finishedAt;
  const tried = Math.min(totalRows, processedOf(batch) + (laterTries?.addresses ?? 0));
  if (startedAt === null || tried === 0) return null;
  const elapsedMs = Math.max(1, now - startedAt.getTime());
  const firstPass = now + (elapsedMs * (totalRows - tried)) / tried;
  return new Date(Math.max(firstPass, laterTries?.until.getTime() ?? 0));
}
