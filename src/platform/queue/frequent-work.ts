import type { Frequency } from '../../async/streams/micro-batcher.js';

/** Of work that a user waits seconds for, fifty a second: to wait some milliseconds for others saves statements, and nobody sees it. */
export const FREQUENT: Frequency = { items: 5, withinMs: 100, now: () => performance.now() };
