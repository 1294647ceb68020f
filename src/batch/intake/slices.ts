import { Turns } from '../../lib/turns.js';
import type { Principal } from '../../keys/access/principal.js';

/** Slices of live keys that go one after another while one of a test key waits. */
const LIVE_IN_A_ROW = 8;

type Uploader = Pick<Principal, 'accountId' | 'simulated'>;

/**
 * Divides the time of the event loop among uploads. An upload parses and packs in slices; before each but its first it waits here, and reads
 * nothing from its connection meanwhile. One slice is begun in each round of the event loop, so that all other requests go on between two.
 * Accounts take turns, and test keys have one slice after eight of live keys, or where no live key wants one.
 */
export class Slices {
  private readonly live = new Turns<() => void>();
  private readonly simulated = new Turns<() => void>();
  private liveInARow = 0;
  private isDue = false;

  next({ accountId, simulated }: Uploader): Promise<void> {
    return new Promise((resolve) => {
      (simulated ? this.simulated : this.live).add(resolve, accountId);
      this.plan();
    });
  }

  private plan(): void {
    if (this.isDue) return;
    this.isDue = true;
    setImmediate(() => {
      this.isDue = false;
      this.take()();
      if (this.live.size + this.simulated.size > 0) this.plan();
    });
  }

  private take(): () => void {
    const isLive = this.simulated.size === 0 || (this.live.size > 0 && this.liveInARow < LIVE_IN_A_ROW);
    this.liveInARow = isLive ? this.liveInARow + 1 : 0;
    return (isLive ? this.live : this.simulated).take()!;
  }
}

/** One for the process, as it has one event loop. */
const slices = new Slices();

/** Waits until the upload may parse and pack its next slice. */
export function nextSlice(uploader: Uploader): Promise<void> {
  return slices.next(uploader);
}
