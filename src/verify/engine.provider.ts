import { type FactoryProvider, Logger, Injectable } from '@nestjs/common';
import type { Engine } from '../engine/verification/engine.js';
import type { IsLeftAlone } from '../engine/ports.js';
import type { ResolverJudge } from '../mail-dns/resolver-judge.js';
import type { Verification } from '../engine/types.js';
import { ENV, type Env } from '../platform/config/env.js';
import { OptedOut } from '../sending/opt-outs/opted-out.js';
import type { ConfiguredSources } from '../sending/egress/configured-sources.js';
import { EGRESS_SOURCES } from '../sending/egress/egress.module.js';
import { KnownConditions } from '../sending/egress/source-conditions.service.js';
import { PausedOperators } from '../sending/operators/operator-pauses.service.js';
import { RESOLVER_JUDGE } from '../resolver/resolver.module.js';
import { REDIS, type RedisClient } from '../platform/redis/redis.js';
import { openEngine } from './open-engine.js';
import { proveDecisionTable } from './ports/decision-table-file.js';
import { systemClock, systemRandom } from './ports/node-ports.js';
import { PausingConnectionLimiter, RedisConnectionLimiter } from './ports/redis-connection-limiter.js';
import { RedisWarmUp } from '../sending/egress/redis-warm-up.js';
import { KnownOperatorMeasures } from './ports/known-operator-measures.js';
import { RedisNameRuns } from './ports/redis-name-runs.js';
import { RedisBlocks } from './ports/redis-blocks.js';
import { RefusalReports, SmtpMetrics } from './ports/smtp-metrics.js';

type Listener = (verification: Verification) => void;

/** Passes the verdicts of the real engine, from every kind of request, to services that learn from them. */
@Injectable()
export class VerificationEvents {
  readonly #listeners: Listener[] = [];
  readonly #logger = new Logger(VerificationEvents.name);

  /** The listener is called with each verdict as it comes, so it must be quick. */
  listen(listener: Listener): void {
    this.#listeners.push(listener);
  }

  emit(verification: Verification): void {
    for (const listener of this.#listeners) {
      try {
        listener(verification);
      } catch (error) {
        // A verdict that nothing was learned from is still a verdict.
        this.#logger.error(error);
      }
    }
  }
}

/** Nest token of the `Engine`. */
export const ENGINE = Symbol('ENGINE');

/** A Redis that restarts, or that a busy machine slows down, is back within it. */
const LIMITER_PATIENCE_MS = 60_000;

/** The bridge between Nest and the engine: real ports, caps that hold over all processes, the data of `config/`. */
export const engineProvider: FactoryProvider<Promise<Engine>> = {
  provide: ENGINE,
  inject: [
    ENV,
    RESOLVER_JUDGE,
    REDIS,
    VerificationEvents,
    SmtpMetrics,
    RefusalReports,
    EGRESS_SOURCES,
    RedisBlocks,
    PausedOperators,
    OptedOut,
    KnownConditions,
    KnownOperatorMeasures,
    RedisNameRuns,
  ],
  useFactory: async (
    env: Env,
    resolverJudge: ResolverJudge,
    redis: RedisClient,
    events: VerificationEvents,
    metrics: SmtpMetrics,
    ...[refusals, sources, blocks, paused, leftAlone, conditions, operatorMeasures, nameRuns]: readonly [
      RefusalReports,
      ConfiguredSources,
      RedisBlocks,
      PausedOperators,
      OptedOut,
      KnownConditions,
      KnownOperatorMeasures,
      RedisNameRuns,
    ]
  ) => {
    proveDecisionTable();
    await Promise.all([paused, leftAlone, conditions, operatorMeasures].map((one) => one.start()));
    const logger = new Logger('Engine');
    const shared = new RedisConnectionLimiter(redis, {
      clock: systemClock,
      random: systemRandom,
      patienceMs: LIMITER_PATIENCE_MS,
    });
    const connectionLimiter = new PausingConnectionLimiter(shared, (operator) => paused.isPaused(operator));
    const onVerified = (verification: Verification) => events.emit(verification);
    const onProblem = (line: string) => logger.error(line);
    const isLeftAlone: IsLeftAlone = (domain, hosts) => leftAlone.covers(domain, hosts);
    const engine = await openEngine(env, {
      resolverJudge,
      sources,
      sharedPorts: {
        connectionLimiter,
        warmUp: new RedisWarmUp(redis, systemClock),
        operatorMeasures,
        nameRuns,
        tellOthers: blocks.tell,
      },
      isLeftAlone,
      conditionOf: (source) => conditions.of(source),
      onProblem,
      smtpListener: {
        opened: (operator, source) => metrics.opened(operator, source),
        refused: (refusal) => {
          metrics.refused(refusal);
          refusals.record(refusal);
        },
      },
      onVerified,
    });
    blocks.start((found) => engine.adopt(found));
    sources.start(({ own, warmUp }) => engine.useSources(own, warmUp));
    return engine;
  },
};
