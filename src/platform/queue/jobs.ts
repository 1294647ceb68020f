/**
 * Every queue by its Bull name. PostgreSQL is the truth: jobs carry ids, never data, and a version `v`, because they outlive a
 * deployment and a processor must be able to tell old ones.
 */
export const QUEUES = {
  /** Sweeps that put right what a killed process left behind. */
  maintenance: 'maintenance',
} as const;
