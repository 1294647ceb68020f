import { percent } from '../../parts/figures.js';
import type { Account } from '../../shell/api.js';

export type Batch = Account['schemas']['BatchReply'];
export type BatchStatus = Batch['status'];

const NAMES: Readonly<Record<BatchStatus, string>> = {
  held: 'Waits for you to start it',
  queued: 'Waits for its turn',
  processing: 'Running',
  completed: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

const MOVING: readonly BatchStatus[] = ['queued', 'processing'];

/** Whether something will change without anybody doing anything. */
export const moves = (status: BatchStatus): boolean => MOVING.includes(status);

interface StateNameProps {
  readonly status: BatchStatus;
  /** The share of the rows that are answered, 0 to 1. */
  readonly progress: number;
}

export function StateName({ status, progress }: StateNameProps) {
  return <>{stateName({ status, progress })}</>;
}

/** Of a list, and of a search for many people. */
export const stateName = ({ status, progress }: StateNameProps): string =>
  status === 'processing' ? `${NAMES[status]}, ${percent(progress)}` : NAMES[status];
