import type { Verdict } from './chunk-result.js';
import type { RetriedReason } from './retry-window.js';
import type { SentColumns } from './row-ref.js';

/** The queue that wakes workers of batches. PostgreSQL decides which chunk is next when a worker asks. */
export const BATCH_QUEUE = 'batch';

/** The states that callers see; before them a batch is `receiving`, and nobody sees it. */
export const BATCH_STATES = ['held', 'queued', 'processing', 'completed', 'failed', 'cancelled'] as const;

export type BatchState = 'receiving' | (typeof BATCH_STATES)[number];

/**
 * Events in the life of a batch: `receive` ends the upload, or `hold` does, and then the owner's `order` begins the work; `start` comes with
 * the first leased chunk, `retry` is an administrator's.
 */
export type BatchEvent = 'receive' | 'hold' | 'order' | 'start' | 'complete' | 'fail' | 'cancel' | 'retry';

const TRANSITIONS: Readonly<Record<BatchEvent, { readonly from: readonly BatchState[]; readonly to: BatchState }>> = {
  receive: { from: ['receiving'], to: 'queued' },
  hold: { from: ['receiving'], to: 'held' },
  order: { from: ['held'], to: 'queued' },
  start: { from: ['queued'], to: 'processing' },
  complete: { from: ['queued', 'processing'], to: 'completed' },
  fail: { from: ['queued', 'processing'], to: 'failed' },
  cancel: { from: ['queued', 'processing'], to: 'cancelled' },
  retry: { from: ['failed'], to: 'queued' },
};

/** The state after an event; null when the event cannot happen in this state. */
export function transition(state: BatchState, event: BatchEvent): BatchState | null {
  const { from, to } = TRANSITIONS[event];
  return from.includes(state) ? to : null;
}

/** The states in which an event may happen. */
export function statesBefore(event: BatchEvent): readonly BatchState[] {
  return TRANSITIONS[event].from;
}

export function isFinished(state: BatchState): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled';
}

/** The kind of its rows; `batch-kind.ts` has the differences. */
export type BatchKindName = 'verify' | 'find';

/** Items that have an answer that time may change, and wait for their next try. */
export interface WaitingItems {
  readonly count: number;
  /** Past while they are being tried. */
  readonly nextTryAt: Date;
  /** When the next try of the last chunk comes. */
  readonly lastTryAt: Date;
  /** The end of the last window: what is answered by then is final. */
  readonly until: Date;
  /** Every item of the batch that has no final answer waits: all have been tried. */
  readonly isRest: boolean;
  /** How many wait for which reason; others are missing. */
  readonly reasons: Readonly<Partial<Record<RetriedReason, number>>>;
}

/** A batch as it is stored, without addresses. */
export interface Batch {
  readonly id: number;
  readonly accountId: string;
  readonly keyId: string;
  /** Row of `config/key-policies.json` at submission, for the price of an `unknown` and the shape of replies. */
  readonly policy: string;
  /** Sent by a test key: verified by the simulated engine, never charged. */
  readonly simulated: boolean;
  /** Its rows are addresses to verify, or people to find. */
  readonly kind: BatchKindName;
  readonly state: BatchState;
  /** The list that the batch verifies again; null: it becomes a list itself. */
  readonly listId: number | null;
  readonly name: string | null;
  readonly webhookUrl: string | null;
  /** Null when the rows had nothing but their item, and no layout. */
  readonly columns: SentColumns | null;
  readonly retentionDays: number;
  readonly totalRows: number;
  readonly uniqueAddresses: number;
  /** Distinct items that can have no answer but one of syntax; null when they were not counted, because the batch was never held. */
  readonly malformed: number | null;
  readonly openChunks: number;
  /** Within so many seconds after an answer that time may change it is tried again; null: as the installation says. */
  readonly retryWindowSeconds: number | null;
  /** Null when nothing waits for a retry. */
  readonly waiting: WaitingItems | null;
  /** When the last of its parts ends whose pace is set by the caps of a mail operator; null when there is none. */
  readonly waitsUntil: Date | null;
  /** Rows by verdict; their sum is the number of processed rows. */
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly reservationId: string | null;
  readonly creditSource: 'daily' | 'balance' | 'split' | 'none' | null;
  readonly creditsReserved: number;
  readonly creditsCharged: number;
  /** Addresses that are given a verdict again, for nothing. */
  readonly reused: number;
  /** It has ended, and its results stand in the order of its rows too. */
  readonly isOrdered: boolean;
  /** Of the request that made it; null where that is not known. */
  readonly traceId: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** When the batch is deleted; null while it is queued or worked on, and while its list is verified again and again. */
  readonly expiresAt: Date | null;
}

export function processedOf({ counts }: Pick<Batch, 'counts'>): number {
  return counts.valid + counts.invalid + counts.risky + counts.unknown;
}

/** The longest that a caller is told to wait: the end is an estimate. */
const MAX_RETRY_SECONDS = 30;

/** When a caller of a running batch may ask again: at its estimated end, within bounds. */
export function retrySecondsOf(batch: Batch, now: number, minSeconds: number): number {
  const end = estimatedEnd(batch, now);
  const seconds = end === null ? minSeconds : Math.ceil((end.getTime() - now) / 1000);
  return Math.min(MAX_RETRY_SECONDS, Math.max(minSeconds, seconds));
}

/**
 * The end of a running batch; null before the first result. All items have been tried at the pace so far, or when the slowest part is
 * through at the caps of its mail operator, whichever is later; then come the retries, as for the items tried so far. What waits when all
 * have been tried has an answer when its window is over at the latest, however slow that is.
 */
export function estimatedEnd(batch: Batch, now: number): Date | null {
  const { startedAt, finishedAt, totalRows, uniqueAddresses, waiting, waitsUntil } = batch;
  if (finishedAt !== null) return finishedAt;
  // Items wait, rows are answered: which of them are repeated is not known here.
  const waitingRows = waiting === null ? 0 : waiting.count * (totalRows / uniqueAddresses);
  const tried = Math.min(totalRows, processedOf(batch) + waitingRows);
  if (startedAt === null || tried === 0) return null;
  const elapsedMs = Math.max(1, now - startedAt.getTime());
  const atThisPace = now + (elapsedMs * (totalRows - tried)) / tried;
  const atSlowest = waitsUntil?.getTime() ?? 0;
  if (waiting?.isRest) {
    const lastTried = Math.max(now, atSlowest, waiting.lastTryAt.getTime());
    return new Date(Math.min(lastTried, waiting.until.getTime()));
  }
  const allTried = Math.max(atThisPace, atSlowest);
  return new Date(allTried + Math.max(0, (waiting?.lastTryAt.getTime() ?? 0) - now));
}
