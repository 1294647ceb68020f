import type { CancelSignal, HostCaps, Permit } from '../../ports.js';
import type { PermitWaits } from '../limits/permit-waits.js';
import type { RouteContext } from './mx-route.js';
import type { Lane } from './route-lanes.js';

/** Who waits longer for a permit at one source lets others try theirs. */
const STUCK_MS = 100;

/** The permits of a route's connections, each for the operator at one of our sources. */
export class LanePermits {
  /** Workers that have waited for a permit for long. */
  stuck = 0;

  constructor(
    private readonly operator: string,
    private readonly caps: HostCaps,
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
