export const ERASURE_STATES = ['working', 'waiting', 'done', 'failed'] as const;
export type ErasureState = (typeof ERASURE_STATES)[number];

/** Why an erasure has failed: nothing can open its address any more, or its steps have failed for days. */
export const ERASURE_FAILURES = ['address_unreadable', 'steps_failed'] as const;
export type ErasureFailure = (typeof ERASURE_FAILURES)[number];

/** Batches that a receipt names. */
export const MAX_NAMED_BATCHES = 20;
