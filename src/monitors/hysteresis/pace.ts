import { HOUR_MS, MINUTE_MS } from '../../lib/durations.js';

/** How long a monitor takes over everything that is not asking. */
export interface Pace {
  /** A finding that was seen once is looked for again so soon. */
  readonly againMs: number;
  /** Two runs that confirm a finding, or its end, lie so far apart at least. */
  readonly apartMs: number;
  /** Two runs that confirm the end of a listing lie so far apart at least: lists take back what they repeat an hour later. */
  readonly listApartMs: number;
  /** Since the last word about a finding, before it is told as opened again, or as milder. */
  readonly quietMs: number;
  /** A finding that comes and goes speaks once in this time. */
  readonly flappingQuietMs: number;
  /** So far back it is counted how often a finding came and went. */
  readonly flapWindowMs: number;
  /** What is published otherwise than before is looked at again so soon, */
  readonly changeAgainMs: number;
  /** and looks that count lie so far apart at least: sooner a resolver repeats what it remembers. */
  readonly changeApartMs: number;
  /** So long a change is news. */
  readonly changeNewsMs: number;
  /** So long a question must stay unanswered to be a finding. */
  readonly silenceApartMs: number;
  /** So long an answer that decides may be missing before the owner is told, or three intervals where those are longer. */
  readonly stalledMs: number;
}

export const LIVE_PACE: Pace = {
  againMs: 5 * MINUTE_MS,
  apartMs: MINUTE_MS,
  listApartMs: HOUR_MS,
  quietMs: 6 * HOUR_MS,
  flappingQuietMs: 24 * HOUR_MS,
  flapWindowMs: 24 * HOUR_MS,
  changeAgainMs: HOUR_MS,
  changeApartMs: HOUR_MS / 2,
  changeNewsMs: 7 * 24 * HOUR_MS,
  silenceApartMs: HOUR_MS / 2,
  stalledMs: 24 * HOUR_MS,
};

/** Of test keys: seconds in the place of minutes and hours, so that a whole journey can be watched. */
export const TEST_PACE: Pace = {
  againMs: 1_000,
  apartMs: 500,
  listApartMs: 2_000,
  quietMs: 5_000,
  flappingQuietMs: 20_000,
  flapWindowMs: 60_000,
  changeAgainMs: 1_000,
  changeApartMs: 500,
  changeNewsMs: 14_000,
  silenceApartMs: 2_000,
  stalledMs: 10_000,
};

export function paceOf(simulated: boolean): Pace {
  return simulated ? TEST_PACE : LIVE_PACE;
}
