import { HOUR_MS } from '../lib/durations.js';
import type { ResolverJudge } from '../mail-dns/resolver-judge.js';

/** A verdict that a caller was told, and that rests on nothing but the DNS resolver's denial. */
export interface ReportedDenial {
  readonly accountId: string;
  readonly address: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What was charged for it. */
  readonly credits: number;
  /** The day from which free credits were taken, which may be the one before; null: they came from a balance. */
  readonly utcDate: string | null;
  /** Of a single verification. */
  readonly requestId: string | null;
  /** Of a batch: which one, and where the item is in it. */
  readonly row: { readonly batchId: number; readonly ref: number } | null;
}

const MAX_DENIALS = 10_000;

/**
 * Remembers denials until the resolver has surely told the truth since, for an hour at most, and takes them for lies when it is found to
 * lie before. A process that ends forgets them.
 */
export class ReportedDenials {
  /** The oldest first. */
  private readonly told: ReportedDenial[] = [];
  private lies: ReportedDenial[] = [];
  private listener = (): void => {};

  constructor(private readonly judge: ResolverJudge) {
    judge.onChange(() => this.tell(this.sort(this.told.splice(0), this.told)));
  }

  /** The listener is called when there are lies to take. */
  onLies(listener: () => void): void {
    this.listener = listener;
  }

  add(denials: readonly ReportedDenial[]): void {
    const newest = denials.at(-1);
    if (newest === undefined) return;
    const lies = this.sort(denials.slice(-MAX_DENIALS), this.told);
    const doubtfulSince = Math.max(this.judge.surelyHonestAt, newest.at - HOUR_MS);
    while (this.told.length > MAX_DENIALS || (this.told[0]?.at ?? Infinity) < doubtfulSince) this.told.shift();
    this.tell(lies);
  }

  /** Those that turned out to be lies; whoever takes them corrects them, or puts them back. */
  takeLies(): readonly ReportedDenial[] {
    const taken = this.lies;
    this.lies = [];
    return taken;
  }

  putBack(lies: readonly ReportedDenial[]): void {
    this.lies = [...lies, ...this.lies];
  }

  /** Puts those that are believed still to the others. @returns the lies */
  private sort(denials: readonly ReportedDenial[], believed: ReportedDenial[]): ReportedDenial[] {
    const lies: ReportedDenial[] = [];
    for (const one of denials) (this.judge.mayHaveLied(one.at) ? lies : believed).push(one);
    return lies;
  }

  private tell(lies: readonly ReportedDenial[]): void {
    if (lies.length === 0) return;
    this.lies = [...this.lies, ...lies];
    this.listener();
  }
}
