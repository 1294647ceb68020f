import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Verification } from '../engine/types.js';
import type { Owner } from '../keys/access/owner.js';
import { TIMER, type Timer } from '../platform/clock.js';
import { isKept } from './kept-verdict.js';
import { type KeptAddress, ReuseService } from './reuse.service.js';

/** The longest that a verdict waits, and what a killed process loses: its addresses are asked about once more. */
const WAIT_MS = 1_000;
/** What comes while so many wait is not kept. */
const MAX_WAITING = 10_000;

/** Keeps the verdicts of single requests after their replies, those of a second by one statement. */
@Injectable()
export class RecentVerdicts implements OnModuleDestroy {
  private readonly logger = new Logger(RecentVerdicts.name);
  private waiting: (KeptAddress & { readonly owner: Owner })[] = [];
  private writing: Promise<void> | null = null;

  constructor(
    private readonly reuse: ReuseService,
    @Inject(TIMER) private readonly timer: Timer,
  ) {}

  /** Takes a verdict to keep it soon; its owner may not use reuse. */
  add(owner: Owner, address: string, verification: Verification): void {
    if (!isKept(verification) || this.waiting.length === MAX_WAITING) return;
    this.waiting.push({ owner, address, verification });
    if (this.waiting.length === 1) this.timer.after(WAIT_MS, () => void this.flush());
  }

  async onModuleDestroy(): Promise<void> {
    await this.flush();
  }

  /** Writes what waits. Never rejects: a verdict that is not kept harms nobody. */
  async flush(): Promise<void> {
    await this.writing;
    const verdicts = this.waiting;
    this.waiting = [];
    if (verdicts.length === 0) return;
    this.writing = this.reuse
      .keepOfMany(verdicts)
      .catch((error: Error) => this.logger.warn(`${verdicts.length} verdicts were not kept: ${error.message}`));
    await this.writing;
  }
}
