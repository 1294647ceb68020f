import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { ENV, type Env } from '../platform/config/env.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import { EndpointStore, type SealedSecrets } from './endpoint.store.js';
import { WebhookUpkeepStore } from './webhook-upkeep.store.js';

const EVERY_MS = 60_000;
const DAY_MS = 86_400_000;
/** However short the retention: the schedule of a delivery takes more than three days. */
const LEAST_DAYS = 7;
const AT_ONCE = 500;

/** Deletes what is past its time, and seals secrets anew when `SECRETS_KEY` has changed. */
@Injectable()
export class WebhookUpkeepService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(WebhookUpkeepService.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: WebhookUpkeepStore,
    private readonly endpoints: EndpointStore,
    private readonly secrets: EndpointSecrets,
    @Inject(ENV) private readonly env: Env,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.run();
    this.timer = setInterval(() => {
      this.running = this.running.then(() => this.run());
    }, EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** @returns how many events were deleted */
  async deleteExpired(): Promise<number> {
    const before = new Date(this.clock.now() - Math.max(LEAST_DAYS, this.env.retentionDays) * DAY_MS);
    let deleted = 0;
    for (let some = AT_ONCE; some === AT_ONCE; deleted += some) some = await this.store.deleteEvents(before, AT_ONCE);
    await this.store.deleteEndpointsOfBatches(before, AT_ONCE);
    return deleted;
  }

  /** @returns how many endpoints had secrets that an older key had sealed */
  async resealSecrets(): Promise<number> {
    const stale = await this.endpoints.findSealedBefore(this.secrets.prefix, AT_ONCE);
    for (const endpoint of stale) {
      await this.reseal(endpoint).catch((error: Error) =>
        this.logger.error(`a secret was not sealed anew: ${error.message}`),
      );
    }
    return stale.length;
  }

  private async reseal({ id, secret, oldSecret }: SealedSecrets): Promise<void> {
    const anew = (sealed: Buffer) => this.secrets.seal(id, this.secrets.open(id, sealed));
    await this.endpoints.reseal(id, secret, anew(secret), oldSecret && anew(oldSecret));
  }

  private async run(): Promise<void> {
    try {
      await this.deleteExpired();
      await this.resealSecrets();
    } catch (error) {
      this.logger.warn(`the upkeep of webhooks was interrupted: ${(error as Error).message}`);
    }
  }
}
