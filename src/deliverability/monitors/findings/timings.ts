import { createHash } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from '../../../lib/durations.js';

/** How long a monitor takes over everything that is not asking. */
export interface Timings {
  /** A finding that was seen once is looked for again so soon. */
  readonly againMs: number;
  /** Two runs that confirm a finding, or its end, lie so far apart at least. */
  readonly confirmAfterMs: number;
  /** Two runs that confirm the end of a listing lie so far apart at least: lists take back what they repeat an hour later. */
  readonly listConfirmAfterMs: number;
  /** Since the last word about a finding, before it is told as opened again, or as milder. */
  readonly cooldownMs: number;
  /** A finding that comes and goes speaks once in this time. */
  readonly flappingCooldownMs: number;
  /** So far back it is counted how often a finding came and went. */
  readonly flapWindowMs: number;
  /** What is published otherwise than before is looked at again so soon, */
  readonly changeAgainMs: number;
  /** and looks that count lie so far apart at least: sooner a resolver repeats what it remembers. */
  readonly changeConfirmAfterMs: number;
  /** So long a change is news. */
  readonly changeNewsMs: number;
  /** So long a question must stay unanswered to be a finding. */
  readonly silenceConfirmAfterMs: number;
  /** So long an answer that decides may be missing before the owner is told, or three intervals where those are longer. */
  readonly stalledMs: number;
}

export const LIVE_TIMINGS: Timings = {
  againMs: 5 * MINUTE_MS,
  confirmAfterMs: MINUTE_MS,
  listConfirmAfterMs: HOUR_MS,
  cooldownMs: 6 * HOUR_MS,
  flappingCooldownMs: 24 * HOUR_MS,
  flapWindowMs: 24 * HOUR_MS,
  changeAgainMs: HOUR_MS,
  changeConfirmAfterMs: HOUR_MS / 2,
  changeNewsMs: 7 * 24 * HOUR_MS,
  silenceConfirmAfterMs: HOUR_MS / 2,
  stalledMs: 24 * HOUR_MS,
};

/** Of test keys: seconds in the place of minutes and hours, so that a whole journey can be watched. */
const TEST_TIMINGS: Timings = {
  againMs: 1_000,
  confirmAfterMs: 500,
  listConfirmAfterMs: 2_000,
  cooldownMs: 5_000,
  flappingCooldownMs: 20_000,
  flapWindowMs: 60_000,
  changeAgainMs: 1_000,
  changeConfirmAfterMs: 500,
  changeNewsMs: 14_000,
  silenceConfirmAfterMs: 2_000,
  stalledMs: 10_000,
};

export function timingsOf(simulated: boolean): Timings {
  return simulated ? TEST_TIMINGS : LIVE_TIMINGS;
}

/** Runs leave their slot by so much of the interval, one way or the other: from one to the next it is within 10 % of the interval. */
const JITTER = 0.05;
/** Times that are compared: the one at which the fewest other monitors run is taken. */
const CHOICES = 4;
/** A monitor of a test key runs every few seconds so often, and then as any other. */
const QUICK_RUNS = 100;
const QUICK_MS = 2_000;

interface RunSchedule {
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
export function nextRunTimes({ id, intervalMinutes, simulated, runs }: RunSchedule, now: number): readonly Date[] {
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
