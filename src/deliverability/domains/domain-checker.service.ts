import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { examineDomain } from '../../engine/domain/judges/examine-domain.js';
import type { ExaminedDomain } from '../../engine/domain/judges/judge-domain.js';
import type { FactsQuery } from '../../engine/domain/facts.js';
import { withTimeLimit } from '../../lib/clock.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { RESOLVER_JUDGE, type ResolverJudge } from '../../resolver/resolver.module.js';
import { simulatedDomain, simulatedOutside } from '../../simulator/simulated-domains.js';
import { DomainOutside } from './domain-outside.js';
import { createFactDns, type WatchedDns } from './fact-dns.js';

interface CheckCircumstances {
  /** Nobody is asked; the first label of the domain decides (`src/simulator/simulated-domains.ts`). */
  readonly simulated: boolean;
  /** Whose check it is. */
  readonly accountId: string;
  /** What has not answered by then has not answered. */
  readonly budgetMs: number;
  /** Which check of the domain it is, from 1: some domains of test mode change. */
  readonly run?: number;
}

export interface CheckedDomain extends ExaminedDomain {
  /** Names of which our own resolver's answers were not believed: that they are unanswered is no fault of the domain. */
  readonly untrusted: ReadonlySet<string>;
}

/** One look at what a domain publishes, for whoever wants it: it charges nobody and keeps nothing. */
@Injectable()
export class DomainCheckerService implements OnApplicationShutdown {
  readonly #dns: WatchedDns;

  constructor(
    @Inject(ENV) env: Env,
    @Inject(RESOLVER_JUDGE) judge: ResolverJudge,
    private readonly outside: DomainOutside,
    @Inject(TIMER) private readonly timer: Timer,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {
    this.#dns = createFactDns(env.dnsServers, judge);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.outside.close();
  }

  /** Whether our resolver answers and is believed, so that what has no answer is the fault of others. */
  isResolverFit(): Promise<boolean> {
    return this.#dns.examine();
  }

  /** Asks for the facts and judges them, within the time given. Silence is `unknown`, never a fault. */
  check(asked: FactsQuery, { simulated, accountId, budgetMs, run = 1 }: CheckCircumstances): Promise<CheckedDomain> {
    return withTimeLimit(this.timer, budgetMs, async (over) => {
      const end = new AbortController();
      void over.then(() => end.abort());
      const untrusted = new Set<string>();
      const now = this.clock.now();
      const dns = simulated
        ? simulatedDomain(asked.domain, run)
        : this.#dns.of(accountId, (name) => untrusted.add(name));
      const outside = simulated ? simulatedOutside(asked.domain, now, run) : this.outside.questions(end.signal);
      const examined = await examineDomain(asked, dns, outside, { now, over });
      return { ...examined, untrusted };
    });
  }
}
