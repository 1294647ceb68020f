/**
 * Chunks whose work was begun so often in a row without a result may be what ends their workers: a process begins one of them at
 * a time, so that no other one of them is counted with it. The index `batch_chunks_suspect` names this number too.
 */
export const SUSPECT_AFTER = 3;

/** A batch whose grouping by mail operator was begun so often in vain is worked as it came. */
export const MOST_GROUPINGS = 2;

/**
 * Chunks that were begun so often in a row without a result are not begun again: their batch fails when nothing else is left of
 * it. Workers, PostgreSQL or Redis that are killed now and then do not come near: an answer in between begins the count anew.
 */
export const MOST_BEGINNINGS = 10;
