import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../../lib/periodic.js';
import { WorkLoop } from '../../lib/work-loop.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { ReceivingHosts } from './receiving-hosts.js';
import { WebhookAttemptsService } from './webhook-attempts.service.js';
import { WebhookSender } from './webhook-sender.js';
import { type EndpointLease, type Lane, type LeasedEndpoint, WebhookWorkerStore } from './webhook-worker.store.js';
import { Process, Processor } from '@nestjs/bull';
import { WEBHOOK_QUEUE } from '../webhook-queue.js';

/** Endpoints that a process delivers to at once, with one request each. */
const CONCURRENCY: Readonly<Record<Lane, number>> = { quick: 64, slow: 32 };
/** Deliveries to an endpoint before another endpoint gets its permit. */
const MAX_IN_A_ROW = 20;
/** The lease of an endpoint: other workers take the endpoints of a killed worker this long after its last renewal. */
const LEASE_MS = 10_000;
const RENEW_EVERY_MS = 3_000;
const SWEEP_EVERY_MS = 1_000;
/** Attempts that end within it are finished when the process stops; another worker makes the others again. */
const FINISH_WITHIN_MS = 8_000;

/**
 * The loop delivers as long as a delivery is due: to many endpoints at once, to each of them one delivery after the other.
 *
 * An endpoint is free, or leased by one worker, which renews the lease while it delivers and releases the endpoint afterwards.
 * The lease of a killed worker expires. After a fault of ours the worker lets the lease expire too, so that no worker runs into
 * the same fault at once.
 *
 * The loop leases free endpoints as long as it has permits. It is woken
 * - by the queue, when a delivery is committed,
 * - by the sweep, for work without a notification: retries, ends of pauses, notifications that were lost,
 * - by itself, when an endpoint is released.
 *
 * Each lane has permits of its own, so that quick endpoints never wait for slow ones, however many these are.
 *
 * At a stop the loop leases nothing more. Attempts under way may end within a grace; the others are aborted and not recorded.
 */
@Injectable()
export class WebhookWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(WebhookWorker.name);
  private readonly id = randomUUID();
  /** Ids of the endpoints that this process works on. */
  private readonly inFlight: Record<Lane, Set<string>> = { quick: new Set(), slow: new Set() };
  private readonly stopping = new AbortController();
  private readonly loop: WorkLoop;
  private readonly sweeps: Periodic;
  private readonly renewals: Periodic;

  constructor(
    private readonly store: WebhookWorkerStore,
    private readonly attempts: WebhookAttemptsService,
    private readonly sender: WebhookSender,
    private readonly hosts: ReceivingHosts,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) private readonly timer: Timer,
  ) {
    const onError = (error: unknown) => this.warn(error);
    this.loop = new WorkLoop({ fill: () => this.fill(), onError });
    this.sweeps = new Periodic(() => this.loop.wake(), { everyMs: SWEEP_EVERY_MS, timer, onError });
    this.renewals = new Periodic(() => this.renew(), { everyMs: RENEW_EVERY_MS, timer, onError });
  }

  onApplicationBootstrap(): void {
    // The signal has a listener for each attempt under way, which is no leak, although Node would warn of one.
    setMaxListeners(CONCURRENCY.quick + CONCURRENCY.slow, this.stopping.signal);
    this.sweeps.start();
    this.renewals.start();
  }

  async onModuleDestroy(): Promise<void> {
    const stopped = this.loop.stop({
      timer: this.timer,
      graceMs: FINISH_WITHIN_MS,
      abort: () => this.stopping.abort(),
    });
    await Promise.all([stopped, this.sweeps.stop(), this.renewals.stop()]);
  }

  /** Leases due endpoints, as far as there are permits. Never rejects. */
  wake(): Promise<void> {
    return this.loop.wake();
  }

  private async fill(): Promise<void> {
    await this.lease('quick');
    await this.lease('slow');
  }

  private async lease(lane: Lane): Promise<void> {
    const free = CONCURRENCY[lane] - this.inFlight[lane].size;
    if (free <= 0) return;
    for (const endpoint of await this.store.leaseEndpoints(lane, free, this.newLease())) {
      this.inFlight[lane].add(endpoint.id);
      this.loop.begin(() => this.run(endpoint).finally(() => this.inFlight[lane].delete(endpoint.id)));
    }
  }

  private async run(endpoint: LeasedEndpoint): Promise<void> {
    let hasFailed = false;
    try {
      await this.deliver(endpoint);
    } catch (error) {
      hasFailed = !this.stopping.signal.aborted;
      if (hasFailed) this.warn(error);
    }
    await this.store.release(endpoint, hasFailed);
  }

  /** Ends after an attempt that failed or was slow: the endpoint has changed its lane. A refusal by the host's limit is no attempt. */
  private async deliver(endpoint: LeasedEndpoint): Promise<void> {
    for (let count = 0; count < MAX_IN_A_ROW && !this.loop.isStopping; count++) {
      const delivery = await this.store.nextDelivery(endpoint, this.clock.date());
      if (delivery === null) return;
      const destination = await this.sender.destinationOf(delivery.url);
      const waitMs = 'address' in destination ? await this.hosts.admit(delivery.accountId, destination.address) : 0;
      if (waitMs > 0) return this.store.pause(endpoint, new Date(this.clock.now() + waitMs));
      if (!(await this.attempts.attempt(endpoint, delivery, destination, this.stopping.signal))) return;
    }
  }

  /** Renews what is in flight, and no lease that could not be released: that one expires. */
  private async renew(): Promise<void> {
    const ids = [...this.inFlight.quick, ...this.inFlight.slow];
    if (ids.length > 0) await this.store.renewLeases(ids, this.newLease());
  }

  private newLease(): EndpointLease {
    const now = this.clock.now();
    return { owner: this.id, now: new Date(now), expiresAt: new Date(now + LEASE_MS) };
  }

  private warn(error: unknown): void {
    this.logger.warn(`work on webhooks was interrupted: ${(error as Error).message}`);
  }
}

/** Wakes the worker loop when a delivery is due. */
@Processor(WEBHOOK_QUEUE)
export class WebhookProcessor {
  constructor(private readonly worker: WebhookWorker) {}

  @Process('work')
  async run(): Promise<void> {
    await this.worker.wake();
  }
}
