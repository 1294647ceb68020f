import { Global, Logger, Module } from '@nestjs/common';
import type { ResolverJudge } from '../mail-dns/resolver-judge.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../platform/clock.js';
import { ENV, type Env } from '../platform/config/env.js';
import { ResolverDoubts } from './resolver-doubts.service.js';
import { ReportedDenials } from './reported-denials.js';
import { openResolverJudge } from './own-resolver.js';

export type { ResolverJudge };

/** Nest token of the `ResolverJudge`. */
export const RESOLVER_JUDGE = Symbol('RESOLVER_JUDGE');

function openJudge(env: Env, clock: WallClock, timer: Timer): ResolverJudge {
  const logger = new Logger('Resolver');
  const listener = { problem: (line: string) => logger.error(line), solved: (line: string) => logger.log(line) };
  return openResolverJudge(env, listener, {
    now: () => clock.now(),
    after: (ms, callback) => timer.after(ms, callback),
  });
}

/** Whether the resolver is believed: one judgement for all features that ask it. It asks nothing before one of them does. */
@Global()
@Module({
  providers: [
    { provide: RESOLVER_JUDGE, inject: [ENV, CLOCK, TIMER], useFactory: openJudge },
    {
      provide: ReportedDenials,
      inject: [RESOLVER_JUDGE],
      useFactory: (judge: ResolverJudge) => new ReportedDenials(judge),
    },
    ResolverDoubts,
  ],
  exports: [RESOLVER_JUDGE, ReportedDenials, ResolverDoubts],
})
export class ResolverModule {}
