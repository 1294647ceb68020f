import { Global, Module } from '@nestjs/common';
import { CLOCK, SYSTEM_TIMER, TIMER, type Timer, wallClock } from './clock.js';

@Global()
@Module({
  providers: [
    { provide: CLOCK, useFactory: () => wallClock() },
    { provide: TIMER, useFactory: (): Timer => ({ ...SYSTEM_TIMER }) },
  ],
  exports: [CLOCK, TIMER],
})
export class ClockModule {}
