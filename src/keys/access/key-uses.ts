import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../../lib/periodic.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { KeyLookupStore } from './key-lookup.store.js';

/** A killed process loses what it has collected since the last writing. */
const WRITTEN_EVERY_MS = 60_000;

/** Collects when each key was used last, and writes that for all of them together: a request only changes a map. */
@Injectable()
export class KeyUses implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(KeyUses.name);
  private readonly periodic: Periodic;
  private lastUses = new Map<string, number>();

  constructor(
    private readonly keys: KeyLookupStore,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    this.periodic = new Periodic(() => this.write(), {
      everyMs: WRITTEN_EVERY_MS,
      firstAfterMs: WRITTEN_EVERY_MS,
      timer,
      onError: (error) => this.warn(error),
    });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.periodic.stop();
    await this.write().catch((error: unknown) => this.warn(error));
  }

  record(keyId: string): void {
    this.lastUses.set(keyId, this.clock.now());
  }

  private async write(): Promise<void> {
    if (this.lastUses.size === 0) return;
    const written = this.lastUses;
    this.lastUses = new Map();
    try {
      await this.keys.recordUses(written);
    } catch (error) {
      this.lastUses = new Map([...written, ...this.lastUses]);
      throw error;
    }
  }

  private warn(error: unknown): void {
    this.logger.warn(`when keys were used last was not written: ${(error as Error).message}`);
  }
}
