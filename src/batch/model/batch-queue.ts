/** The queue that wakes workers of batches. PostgreSQL decides which chunk is next when a worker asks. */
export const BATCH_QUEUE = 'batch';
