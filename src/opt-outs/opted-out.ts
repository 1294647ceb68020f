import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../lib/periodic.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../platform/clock.js';
import type { OptOutKind } from './opt-out-subject.js';
import { OptOutStore } from './opt-out.store.js';
import { HOUR_MS } from '../lib/durations.js';
import { PeriodicJob } from '../platform/periodic-job.js';

const EVERY_MS = 5_000;

/**
 * What this process knows of opt-outs. PostgreSQL is asked every few seconds whether they have changed, so that one holds in all
 * processes within ten; while it is away, what was known stays.
 */
@Injectable()
export class OptedOut implements OnModuleDestroy {
  private readonly logger = new Logger(OptedOut.name);
  private readonly periodic: Periodic;
  private state: string | null = null;
  private known: Readonly<Record<OptOutKind, ReadonlyMap<string, number>>> = {
    domain: new Map(),
    mail_host: new Map(),
  };

  constructor(
    private readonly store: OptOutStore,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    this.periodic = new Periodic(() => this.read(), {
      everyMs: EVERY_MS,
      timer,
      onError: (error) => this.logger.warn(`opt-outs were not read: ${(error as Error).message}`),
    });
  }

  /** Reads them once, and then again and again: nobody connects before what holds is known. */
  async start(): Promise<void> {
    await this.read();
    this.periodic.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.periodic.stop();
  }

  /** Whether a domain's mailboxes may not be asked about, or one of its mail hosts may not be. */
  covers(domain: string, hosts: readonly { readonly name: string }[]): boolean {
    const { domain: domains, mail_host: mailHosts } = this.known;
    if (domains.size > 0 && this.has(domains, domain)) return true;
    return mailHosts.size > 0 && hosts.some(({ name }) => this.has(mailHosts, name));
  }

  private has(left: ReadonlyMap<string, number>, name: string): boolean {
    for (let rest = name; rest !== ''; rest = parentOf(rest)) {
      const endsAt = left.get(rest);
      if (endsAt !== undefined && endsAt > this.clock.now()) return true;
    }
    return false;
  }

  /** Takes up what has changed. */
  async read(): Promise<void> {
    const state = await this.store.state();
    if (state === this.state) return;
    const known = { domain: new Map<string, number>(), mail_host: new Map<string, number>() };
    for (const { kind, name, endsAt } of await this.store.all()) known[kind].set(name, endsAt.getTime());
    this.known = known;
    this.state = state;
  }
}

function parentOf(name: string): string {
  const dot = name.indexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1);
}

/** Rows deleted by one statement. */
const ROW_PAGE_SIZE = 1_000;

/** Deletes opt-outs that nobody has renewed. */
@Injectable()
export class OptOutsCleanup extends PeriodicJob {
  constructor(
    private readonly store: OptOutStore,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('ended opt-outs were not deleted', { everyMs: HOUR_MS, firstAfterMs: HOUR_MS, timer });
  }

  async run(): Promise<void> {
    const now = new Date(this.clock.now());
    while ((await this.store.deleteEnded(now, ROW_PAGE_SIZE)) === ROW_PAGE_SIZE);
  }
}
