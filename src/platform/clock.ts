import { Global, Module } from '@nestjs/common';

/** The time of day for everything outside the engine; injected, so that a test can turn midnight. */
export interface WallClock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Nest token of the `WallClock`. */
export const CLOCK = Symbol('CLOCK');

@Global()
@Module({
  providers: [{ provide: CLOCK, useFactory: (): WallClock => ({ now: Date.now }) }],
  exports: [CLOCK],
})
export class ClockModule {}
