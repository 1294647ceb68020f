import type { CancelSignal, Permit } from '../../../lib/semaphore.js';
import type { ProviderCaps } from '../../lists/providers.js';
import { givenUp, type ConnectFailed } from '../connect/connect-result.js';
import { warmUpPaceOf, recipientsOfDay, untilNextDay } from '../connect/warm-up.js';
import type { Allowance } from './recipient-probe.js';
import type { PermitWaits } from '../connect/permit-waits.js';
import type { RouteContext, Lane } from './route-lanes.js';

/** Who waits longer for a permit at one source lets others try theirs. */
const STUCK_MS = 100;

/** The permits of a route's connections, each for the operator at one of our sources. */
export class LanePermits {
  /** Workers that have waited for a permit for long. */
  stuck = 0;

  constructor(
    private readonly operator: string,
    private readonly caps: ProviderCaps,
    private readonly context: RouteContext,
    private readonly waits: PermitWaits,
    /** Called when a worker has waited for long: another source may have room. */
    private readonly onStuck: () => void,
  ) {}

  async acquire(lane: Lane, signal: CancelSignal): Promise<Permit> {
    const { connectionLimiter, warm, waitingForPermit } = this.context;
    const { key } = lane;
    waitingForPermit.set(key, (waitingForPermit.get(key) ?? 0) + 1);
    for (const route of warm.get(key) ?? []) route.closeWarm();
    const unstick = this.#noticeIfStuck(lane);
    try {
      return await this.waits.wait(signal, (until, turn) =>
        connectionLimiter.acquire(this.operator, this.caps, until, turn, lane.permitSource),
      );
    } finally {
      unstick();
      const waiting = waitingForPermit.get(key)! - 1;
      if (waiting === 0) waitingForPermit.delete(key);
      else waitingForPermit.set(key, waiting);
    }
  }

  /**
   * Uses a connection within the recipients that the source may still name today while it is warmed up; null for `use`: as many as it likes.
   * Resolves to a failure when it may name none.
   */
  async withQuota(
    { source }: Lane,
    waiting: number,
    use: (quota: Allowance | null) => Promise<void>,
  ): Promise<ConnectFailed | null> {
    const { warmUp, sources, clock } = this.context;
    const { since } = source.config;
    const most =
      since === null ? null : recipientsOfDay(warmUpPaceOf(sources.warmUpTable, this.operator), since, clock.now());
    if (most === null) {
      await use(null);
      return null;
    }
    const { transactionsPerConnection, recipientsPerTransaction } = this.caps;
    const wanted = Math.min(waiting, transactionsPerConnection * recipientsPerTransaction);
    const quota = { left: await warmUp.take(this.operator, source.name, most, wanted) };
    if (quota.left === 0) return usedUp(source.name, untilNextDay(clock.now()));
    try {
      await use(quota);
    } finally {
      if (quota.left > 0) warmUp.giveBack(this.operator, source.name, quota.left);
    }
    return null;
  }

  #noticeIfStuck(lane: Lane): () => void {
    if (!lane.hasOthers) return () => {};
    let isStuck = false;
    const cancelTimer = this.context.clock.after(STUCK_MS, () => {
      isStuck = true;
      lane.stuck += 1;
      this.stuck += 1;
      this.onStuck();
    });
    return () => {
      cancelTimer();
      if (!isStuck) return;
      lane.stuck -= 1;
      this.stuck -= 1;
    };
  }
}

function usedUp(source: string, retryAfterMs: number): ConnectFailed {
  const detail = `the source ${source} is being warmed up and has asked as much as it may today`;
  return { ...givenUp(detail), problem: 'source_failed', retryAfterMs, source };
}
