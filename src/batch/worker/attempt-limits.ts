/**
 * A chunk that workers have begun so often in a row without a result may be the cause of their end, so it counts as poisoned: a
 * process works on one poisoned chunk at a time, and no other chunk's attempts are counted with it. The index
 * `batch_chunks_poisoned` names this number, too.
 */
export const ISOLATE_AFTER_ATTEMPTS = 3;

/** A batch that workers have tried so often to repartition by mail operator is worked by domain. */
export const MAX_REPARTITION_ATTEMPTS = 2;

/**
 * A chunk that workers have begun so often in a row without a result is exhausted: nobody begins it again, and its batch fails
 * once all other chunks are done. Kills of workers, PostgreSQL or Redis now and then stay far below this number, because every
 * stored result sets the count back to 0.
 */
export const MAX_ATTEMPTS = 10;
