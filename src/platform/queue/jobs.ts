/**
 * Every queue by its Bull name. PostgreSQL is the truth: jobs carry ids, never data, and a version `v`, because they outlive a
 * deployment and a processor must be able to tell old ones.
 */
export const QUEUES = {
  /** Says that chunks of batches wait; which one is next, PostgreSQL decides when a worker asks. */
  batch: 'batch',
  /** Says that deliveries to webhooks are due; which, PostgreSQL decides when a worker asks. */
  webhooks: 'webhooks',
  /** Sweeps that put right what a killed process left behind. */
  maintenance: 'maintenance',
} as const;

/** Job `work` of the queues `batch` and `webhooks`. */
export interface WorkJob {
  readonly v: 1;
}
