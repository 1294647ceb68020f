import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Preloaded into a process that is measured: answers `reset`, and `delay` with the longest wait of its event loop since, in ms. */
const RESOLUTION_MS = 1;
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
histogram.enable();

process.on('message', (message) => {
  if (message === 'reset') histogram.reset();
  if (message === 'delay') process.send!({ longestMs: Math.max(0, histogram.max / 1e6 - RESOLUTION_MS) });
});
// A process that has nothing else to do may end.
process.channel?.unref();
