import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { MicroBatcher } from '../lib/micro-batcher.js';
import type { Verification } from '../engine/types.js';
import type { Owner } from '../keys/access/owner.js';
import { TIMER, type Timer } from '../platform/clock.js';
import { isCacheable } from './cached-verdict.js';
import { type AddressToCache, ReuseService } from './reuse.service.js';

/** The longest that a verdict waits, and what a killed process loses: its addresses are asked about once more. */
const WAIT_MS = 1_000;
/** What comes while so many wait is not kept. */
const MAX_WAITING = 10_000;
/** Verdicts of one statement, of requests that wait for it. */
const MAX_TOGETHER = 200;

type Waiting = AddressToCache & { readonly owner: Owner };

/** Keeps the verdicts of single requests after their replies, those of a second by one statement; a request that asks for reuse waits for it. */
@Injectable()
export class RecentVerdicts implements OnModuleDestroy {
  private readonly logger = new Logger(RecentVerdicts.name);
  private waiting: Waiting[] = [];
  private writing: Promise<void> = Promise.resolve();
  private readonly atOnce = new MicroBatcher<Waiting, void>(async (some) => {
    await this.write(some);
    return some.map(() => undefined);
  }, MAX_TOGETHER);

  constructor(
    private readonly reuse: ReuseService,
    @Inject(TIMER) private readonly timer: Timer,
  ) {}

  /** Takes a verdict to keep it soon; its owner may not use reuse. */
  add(owner: Owner, address: string, verification: Verification): void {
    if (!isCacheable(verification) || this.waiting.length === MAX_WAITING) return;
    this.waiting.push({ owner, address, verification });
    if (this.waiting.length === 1) this.timer.after(WAIT_MS, () => void this.flush());
  }

  /** Keeps a verdict, so that the next request finds it in whichever process. */
  async keep(owner: Owner, address: string, verification: Verification): Promise<void> {
    if (isCacheable(verification)) await this.atOnce.add({ owner, address, verification });
  }

  /** Writes what waits of an owner, who is about to look for it. */
  async flushOf({ accountId, simulated }: Owner): Promise<void> {
    const isOwn = ({ owner }: Waiting): boolean => owner.accountId === accountId && owner.simulated === simulated;
    if (this.waiting.some(isOwn)) await this.flush();
    else await this.writing;
  }

  async onModuleDestroy(): Promise<void> {
    await this.flush();
  }

  /** Writes what waits. Never rejects: a verdict that is not kept harms nobody. */
  flush(): Promise<void> {
    const verdicts = this.waiting;
    this.waiting = [];
    if (verdicts.length > 0) this.writing = this.writing.then(() => this.write(verdicts));
    return this.writing;
  }

  private async write(verdicts: readonly Waiting[]): Promise<void> {
    await this.reuse
      .keepOfMany(verdicts)
      .catch((error: Error) => this.logger.warn(`${verdicts.length} verdicts were not kept: ${error.message}`));
  }
}
