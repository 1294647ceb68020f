import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { boundedDns } from '../engine/domain/bounded-dns.js';
import { type DomainState, isAnswered, stateOf } from '../engine/domain/domain-state.js';
import {
  type DomainFacts,
  type FactDns,
  type FactsAsked,
  type FactsOutside,
  gatherFacts,
} from '../engine/domain/facts.js';
import type { DomainFinding } from '../engine/domain/finding.js';
import { judgeDomain } from '../engine/domain/judge-domain.js';
import { TIMER, type Timer } from '../platform/clock.js';
import { ENV, type Env } from '../platform/config/env.js';
import { SIMULATED_OUTSIDE, simulatedDomain } from '../simulator/domain-world.js';
import { createFactDns } from './fact-dns.js';
import { StsFetcher } from './sts-fetcher.js';

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
  readonly #policies: StsFetcher;

  constructor(
    @Inject(ENV) env: Env,
    @Inject(TIMER) private readonly timer: Timer,
  ) {
    this.#dns = createFactDns(env.dnsServers);
    this.#policies = new StsFetcher({ dnsServers: env.dnsServers });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#policies.close();
  }

  /** Asks for the facts and judges them, within the time given. Silence is `unknown`, never a fault. */
  async check(asked: FactsAsked, { simulated, budgetMs, run = 1 }: CheckCircumstances): Promise<CheckedDomain> {
    let endNow = (): void => {};
    const over = new Promise<void>((resolve) => (endNow = resolve));
    const cancel = this.timer.after(budgetMs, endNow);
    try {
      const dns = simulated ? simulatedDomain(asked.domain, run) : this.#dns;
      const unknown = over.then(() => ({ outcome: 'unknown' }) as const);
      const outside: FactsOutside = simulated
        ? SIMULATED_OUTSIDE
        : { stsPolicy: (domain) => Promise.race([this.#policies.fetch(domain), unknown]) };
      const facts = await gatherFacts(asked, boundedDns(dns, over), outside);
      const findings = judgeDomain(facts);
      return { facts, findings, state: stateOf(facts, findings), isAnswered: isAnswered(facts) };
    } finally {
      cancel();
      endNow();
    }
  }
}
