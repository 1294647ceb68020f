import { Global, Module } from '@nestjs/common';
import { CLOCK, SYSTEM_TIMER, TIMER, type Timer, type WallClock } from './clock.js';

@Global()
@Module({
  providers: [
    { provide: CLOCK, useFactory: (): WallClock => ({ now: Date.now }) },
    { provide: TIMER, useFactory: (): Timer => ({ ...SYSTEM_TIMER }) },
  ],
  exports: [CLOCK, TIMER],
})
export class ClockModule {}
