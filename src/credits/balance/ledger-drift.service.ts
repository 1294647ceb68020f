import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { Gauges } from '../../platform/metrics/gauges.js';
import { type LedgerDrift, LedgerDriftStore } from './ledger-drift.store.js';

export type { LedgerDrift };

/** The time between two comparisons, whichever process makes them. */
export const COMPARE_EVERY_MS = 60_000;

/** Whether every balance is the sum of its ledger, compared once a minute by one process and told by all. */
@Injectable()
export class LedgerDriftService {
  constructor(
    private readonly store: LedgerDriftStore,
    gauges: Gauges,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {
    gauges.addShared({
      name: 'mailsonde_ledger_drift',
      help: 'The sum of all differences between ledgers and balances, in credits; anything but 0 is a fault.',
      read: async () => {
        const drift = await store.find();
        return drift === null ? [] : [{ value: drift.credits }];
      },
    });
    gauges.addShared({
      name: 'mailsonde_ledger_compared_seconds',
      help: 'How long ago ledgers and balances were compared.',
      read: async () => {
        const drift = await store.find();
        return drift === null ? [] : [{ value: Math.max(0, clock.now() - drift.measuredAt.getTime()) / 1000 }];
      },
    });
  }

  /** Null before the first comparison. */
  find(): Promise<LedgerDrift | null> {
    return this.store.find();
  }

  /** Does nothing where it was done within the last minute. */
  async compare(): Promise<void> {
    const now = this.clock.now();
    // Half of the period, so that two processes with the same period do not leave one out by turns.
    await this.store.compare(new Date(now), new Date(now - COMPARE_EVERY_MS / 2));
  }
}
