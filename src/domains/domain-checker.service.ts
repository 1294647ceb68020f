import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { boundedDns } from '../engine/domain/bounded-dns.js';
import { type DomainState, isAnswered, stateOf } from '../engine/domain/domain-state.js';
import type { DomainFacts, FactDns, FactsAsked } from '../engine/domain/facts.js';
import { gatherFacts } from '../engine/domain/gather-facts.js';
import type { DomainFinding } from '../engine/domain/finding.js';
import { judgeDomain } from '../engine/domain/judge-domain.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../platform/clock.js';
import { ENV, type Env } from '../platform/config/env.js';
import { RESOLVER_JUDGE, type ResolverJudge } from '../resolver/resolver.module.js';
import { simulatedDomain, simulatedOutside } from '../simulator/domain-world.js';
import { DomainOutside } from './outside/domain-outside.js';
import { createFactDns } from './fact-dns.js';

export interface CheckCircumstances {
  /** Nobody is asked; the first label of the domain decides (`src/simulator/domain-world.ts`). */
  readonly simulated: boolean;
  /** What has not answered by then has not answered. */
  readonly budgetMs: number;
  /** Which check of the domain it is, from 1: some domains of test mode change. */
  readonly run?: number;
}

export interface CheckedDomain {
  readonly facts: DomainFacts;
  /** The worst first. */
  readonly findings: readonly DomainFinding[];
  readonly state: DomainState;
  /** Whether the DNS has answered for the domain itself. */
  readonly isAnswered: boolean;
}

/** One look at what a domain publishes, for whoever wants it: it charges nobody and keeps nothing. */
@Injectable()
export class DomainChecker implements OnApplicationShutdown {
  readonly #dns: FactDns;

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

  /** Asks for the facts and judges them, within the time given. Silence is `unknown`, never a fault. */
  async check(asked: FactsAsked, { simulated, budgetMs, run = 1 }: CheckCircumstances): Promise<CheckedDomain> {
    const end = new AbortController();
    const over = new Promise<void>((resolve) => {
      end.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const cancel = this.timer.after(budgetMs, () => end.abort());
    try {
      const now = this.clock.now();
      const dns = simulated ? simulatedDomain(asked.domain, run) : this.#dns;
      const outside = simulated ? simulatedOutside(asked.domain, now, run) : this.outside.questions(end.signal);
      const facts = await gatherFacts(asked, boundedDns(dns, over), outside);
      const findings = judgeDomain(facts, now);
      return { facts, findings, state: stateOf(facts, findings), isAnswered: isAnswered(facts) };
    } finally {
      cancel();
      end.abort();
    }
  }
}
