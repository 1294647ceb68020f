import { createHash } from 'node:crypto';
import { MINUTE_MS } from '../../lib/durations.js';

/** Runs leave their slot by so much of the interval, one way or the other: from one to the next it is within 10 % of the interval. */
const JITTER = 0.05;
/** Times that are compared: the one at which the fewest other monitors run is taken. */
const CHOICES = 4;
/** A monitor of a test key runs every few seconds so often, and then as any other. */
const QUICK_RUNS = 100;
const QUICK_MS = 2_000;

export interface Turn {
  readonly id: number;
  readonly intervalMinutes: number;
  readonly simulated: boolean;
  /** How many runs have ended. */
  readonly runs: number;
}

/**
 * Times at which a monitor may run next. Its slots lie a whole interval apart, at a phase that its id decides, so that monitors which were
 * made together do not run together, and runs that were missed are one run.
 */
export function nextTurns({ id, intervalMinutes, simulated, runs }: Turn, now: number): readonly Date[] {
  if (simulated && runs < QUICK_RUNS) return [new Date(now + QUICK_MS)];
  const intervalMs = intervalMinutes * MINUTE_MS;
  const phaseMs = Math.floor(share(`${id}`) * intervalMs);
  // A run that was early for its slot is that slot's run.
  // Whoever has just made a monitor counts on its interval.
  const isFirst = runs <= 1;
  const slackMs = isFirst ? 0 : 2 * JITTER * intervalMs;
  const slot = Math.floor((now + slackMs - phaseMs) / intervalMs) + 1;
  const slotAt = phaseMs + slot * intervalMs;
  return Array.from({ length: CHOICES }, (_, choice) => {
    const chance = share(`${id} ${slot} ${choice}`);
    const jitterMs = isFirst ? -chance * JITTER * (slotAt - now) : (chance * 2 - 1) * JITTER * intervalMs;
    return new Date(Math.floor(slotAt + jitterMs));
  });
}

/** From 0 to 1, the same for the same text. */
function share(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
}
