import { Global, Module } from '@nestjs/common';

/** The time of day for everything outside the engine; injected, so that a test can turn midnight. */
export interface WallClock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Deadlines outside the engine, injected for the same reason. */
export interface Timer {
  /** @returns cancels it */
  after(ms: number, callback: () => void): () => void;
}

/** Nest tokens of the `WallClock` and the `Timer`. */
export const CLOCK = Symbol('CLOCK');
export const TIMER = Symbol('TIMER');

function after(ms: number, callback: () => void): () => void {
  const timeout = setTimeout(callback, ms);
  return () => clearTimeout(timeout);
}

@Global()
@Module({
  providers: [
    { provide: CLOCK, useFactory: (): WallClock => ({ now: Date.now }) },
    { provide: TIMER, useFactory: (): Timer => ({ after }) },
  ],
  exports: [CLOCK, TIMER],
})
export class ClockModule {}
