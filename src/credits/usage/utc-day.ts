import { DAY_MS } from '../../lib/durations.js';

/** A UTC day: what the daily allowance and the shared pool are counted by. Here and nowhere else a day is decided. */
export interface UtcDay {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** 00:00 UTC of the next day. */
  readonly endsAt: Date;
  /** Whole seconds until then, at least 1. */
  readonly secondsLeft: number;
}

/** @param now milliseconds since the epoch, which has no leap seconds: every day is equally long */
export function utcDay(now: number): UtcDay {
  const startsAt = Math.floor(now / DAY_MS) * DAY_MS;
  const endsAt = startsAt + DAY_MS;
  return {
    date: new Date(startsAt).toISOString().slice(0, 10),
    endsAt: new Date(endsAt),
    secondsLeft: Math.ceil((endsAt - now) / 1000),
  };
}
