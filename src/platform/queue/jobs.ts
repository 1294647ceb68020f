/** Every queue by its Bull name, and what its jobs carry. PostgreSQL is the truth: jobs carry ids, never data. */
export const QUEUES = {
  /** Sweeps that put right what a killed process left behind. */
  maintenance: 'maintenance',
} as const;

export type QueueName = (typeof QUEUES)[keyof typeof QUEUES];

/** What every payload starts with: jobs outlive a deployment, so a processor must be able to tell old ones. */
export interface VersionedPayload {
  readonly v: number;
}
