import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { ReceivingHosts } from './receiving-hosts.js';
import { WebhookAttemptsService } from './webhook-attempts.service.js';
import { type EndpointLease, type TakenEndpoint, WebhookWorkStore } from './webhook-work.store.js';

/** Endpoints that a process delivers to at once, one request each. A body may have 1 MB. */
const QUICK_PLACES = 64;
/** Of those whose last attempt failed or took long: however many they are, the quick ones have places of their own. */
const SLOW_PLACES = 32;
/** Deliveries to an endpoint before it is another one's turn. */
const MOST_OF_A_TURN = 20;
/** A killed worker's endpoints are taken by others this long after its last renewal. */
const LEASE_MS = 10_000;
const RENEW_EVERY_MS = 3_000;
/** Looks for what no bell told of, such as later attempts. */
const SWEEP_EVERY_MS = 1_000;
/** Attempts that end within it are finished when the process stops; the others are made again elsewhere. */
const FINISH_WITHIN_MS = 8_000;

type Lane = 'quick' | 'slow';

/** Delivers as long as something is due: endpoints side by side, the deliveries to one of them one after the other. */
@Injectable()
export class WebhookWorkService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(WebhookWorkService.name);
  private readonly holder = randomUUID();
  private readonly turns: Readonly<Record<Lane, Set<Promise<void>>>> = { quick: new Set(), slow: new Set() };
  private readonly stopping = new AbortController();
  private filling: Promise<void> | null = null;
  private askedAgain = false;
  private isStopping = false;
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(
    private readonly store: WebhookWorkStore,
    private readonly attempts: WebhookAttemptsService,
    private readonly hosts: ReceivingHosts,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  onApplicationBootstrap(): void {
    // As many listen as there are attempts under way: no leak, as Node would warn of.
    setMaxListeners(QUICK_PLACES + SLOW_PLACES, this.stopping.signal);
    this.timers.push(
      setInterval(() => void this.wake(), SWEEP_EVERY_MS).unref(),
      setInterval(() => void this.renew(), RENEW_EVERY_MS).unref(),
    );
    void this.wake();
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    this.timers.forEach((timer) => clearInterval(timer));
    await this.filling;
    const giveUp = setTimeout(() => this.stopping.abort(), FINISH_WITHIN_MS);
    await Promise.all([...this.turns.quick, ...this.turns.slow]);
    clearTimeout(giveUp);
  }

  /** Takes what is due, as far as there are places. Never rejects. */
  wake(): Promise<void> {
    this.askedAgain = true;
    this.filling ??= this.fill().finally(() => (this.filling = null));
    return this.filling;
  }

  private async fill(): Promise<void> {
    while (this.askedAgain && !this.isStopping) {
      this.askedAgain = false;
      try {
        await this.take('quick', QUICK_PLACES);
        await this.take('slow', SLOW_PLACES);
      } catch (error) {
        this.warn(error);
      }
    }
  }

  private async take(lane: Lane, places: number): Promise<void> {
    const free = places - this.turns[lane].size;
    if (free <= 0) return;
    for (const endpoint of await this.store.takeEndpoints(lane === 'slow', free, this.newLease())) {
      const turn = this.run(endpoint).finally(() => {
        this.turns[lane].delete(turn);
        void this.wake();
      });
      this.turns[lane].add(turn);
    }
  }

  private async run(endpoint: TakenEndpoint): Promise<void> {
    let isPaused = false;
    try {
      await this.deliver(endpoint);
    } catch (error) {
      isPaused = !this.stopping.signal.aborted;
      if (isPaused) this.warn(error);
    }
    await this.store.giveBack(endpoint, isPaused).catch((error: unknown) => this.warn(error));
  }

  /**
   * Ends with the first attempt that fails or is slow: the next one is for the places of such endpoints. What the host may not get now
   * waits, as due as it was.
   */
  private async deliver(endpoint: TakenEndpoint): Promise<void> {
    for (let count = 0; count < MOST_OF_A_TURN && !this.isStopping; count++) {
      const delivery = await this.store.nextDelivery(endpoint, new Date(this.clock.now()));
      if (delivery === null) return;
      const waitMs = await this.hosts.admit(delivery);
      if (waitMs > 0) return this.store.pause(endpoint, new Date(this.clock.now() + waitMs));
      if (!(await this.attempts.attempt(endpoint, delivery, this.stopping.signal))) return;
    }
  }

  private async renew(): Promise<void> {
    if (this.turns.quick.size + this.turns.slow.size === 0) return;
    await this.store.renewLeases(this.newLease()).catch((error: unknown) => this.warn(error));
  }

  private newLease(): EndpointLease {
    const now = this.clock.now();
    return { holder: this.holder, now: new Date(now), until: new Date(now + LEASE_MS) };
  }

  private warn(error: unknown): void {
    this.logger.warn(`work on webhooks was interrupted: ${(error as Error).message}`);
  }
}
