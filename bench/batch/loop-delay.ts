import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Preloaded into a process that is measured: answers `reset`, and `delay` with the longest wait of its event loop since, and with the
 * longest time of the main thread's own between two turns: on a busy machine others hold it up as well.
 */
const RESOLUTION_MS = 1;
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
histogram.enable();

let last = ownMs();
let longestOwnMs = 0;
setInterval(() => {
  const now = ownMs();
  longestOwnMs = Math.max(longestOwnMs, now - last);
  last = now;
}, RESOLUTION_MS).unref();

process.on('message', (message) => {
  if (message === 'reset') {
    histogram.reset();
    longestOwnMs = 0;
  }
  if (message === 'delay') process.send!({ longestMs: Math.max(0, histogram.max / 1e6 - RESOLUTION_MS), longestOwnMs });
});
// A process that has nothing else to do may end.
process.channel?.unref();

/** For how long the main thread has run (proc(5), schedstat). */
function ownMs(): number {
  return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6;
}
