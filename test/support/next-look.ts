import { setTimeout as after } from 'node:timers/promises';

const PAUSE_MS = 5;

/** Between two looks at work that ends by itself: looks without a pause take the time of whoever does the work. */
export function nextLook(): Promise<void> {
  return after(PAUSE_MS);
}
